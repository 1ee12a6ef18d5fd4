//! The sockets that are listened on, and which port they have.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

/// The port where none is given; where it is taken, the next free one.
pub const DEFAULT_PORT: u16 = 7411;

/// How many ports are tried.
const TRIES: u16 = 100;

/// Listens on this machine alone: on 127.0.0.1 and, where there is one, ::1, both with one port.
pub(super) fn on_loopback(port: Option<u16>) -> io::Result<Vec<TcpListener>> {
    choose_port(port, |port| {
        let first = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = first.local_addr()?.port();
        match TcpListener::bind((Ipv6Addr::LOCALHOST, port)) {
            Ok(second) => Ok(vec![first, second]),
            Err(error) if error.kind() == ErrorKind::AddrInUse => Err(error),
            // A machine without IPv6.
            Err(_) => Ok(vec![first]),
        }
    })
}

/// Listens on one address.
pub(super) fn on_address(address: IpAddr, port: Option<u16>) -> io::Result<Vec<TcpListener>> {
    choose_port(port, |port| {
        Ok(vec![TcpListener::bind(SocketAddr::new(address, port))?])
    })
}

/// Binds to the port, or where none is given to the first that is free.
fn choose_port<T>(port: Option<u16>, bind: impl Fn(u16) -> io::Result<T>) -> io::Result<T> {
    let last = match port {
        Some(0) => TRIES,
        Some(_) => 0,
        None => TRIES,
    };
    let mut tried = 0;
    loop {
        let next = match port {
            // The system chooses one; the other address may have it in use.
            Some(port) => port,
            None => DEFAULT_PORT + tried,
        };
        match bind(next) {
            Err(error) if error.kind() == ErrorKind::AddrInUse && tried < last => tried += 1,
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn port(listeners: &[TcpListener]) -> u16 {
        listeners[0].local_addr().unwrap().port()
    }

    #[test]
    fn both_addresses_have_one_port() {
        let listeners = on_loopback(Some(0)).unwrap();
        let addresses = listeners.iter().map(|own| own.local_addr().unwrap());
        let addresses: Vec<SocketAddr> = addresses.collect();
        assert!(
            addresses.iter().all(|own| own.ip().is_loopback()),
            "{addresses:?}"
        );
        assert!(
            addresses
                .iter()
                .all(|own| own.port() == addresses[0].port())
        );
        assert_ne!(addresses[0].port(), 0);
    }

    #[test]
    fn a_port_that_is_asked_for_is_not_replaced() {
        let taken = on_loopback(Some(0)).unwrap();
        let again = on_loopback(Some(port(&taken)));
        assert_eq!(again.unwrap_err().kind(), ErrorKind::AddrInUse);
    }

    #[test]
    fn the_next_free_port_is_taken_where_none_is_asked_for() {
        let [first, second] = [on_loopback(None).unwrap(), on_loopback(None).unwrap()];
        assert!(port(&first) >= DEFAULT_PORT && port(&second) > port(&first));
    }
}
