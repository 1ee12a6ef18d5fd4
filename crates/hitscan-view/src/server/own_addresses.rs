//! The addresses by which other machines reach this one.
//!
//! A UDP socket that is connected has the address from which the system would send; connecting one sends
//! nothing. So each address looked up here gives that of the network which leads there. It needs no
//! list of interfaces, which the standard library does not have; an address of a further network without a
//! way to any of these is not found, and is answered all the same (`door.rs`).

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, UdpSocket};
use std::time::Duration;

/// One address for documentation (RFC 5737, RFC 3849), to which only the default way leads, and some of
/// private networks and of carriers (RFC 1918, RFC 6598, RFC 4193), to which networks beside it may lead.
const DESTINATIONS: [IpAddr; 7] = [
    IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)),
    IpAddr::V4(Ipv4Addr::new(192, 168, 0, 1)),
    IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)),
    IpAddr::V4(Ipv4Addr::new(172, 16, 0, 1)),
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 100)),
    IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0, 1)),
];

/// How long a connection to an address of this machine may take.
const PATIENCE: Duration = Duration::from_millis(200);

/// The addresses of this machine at which others reach `port`, on which something listens already.
pub(super) fn reached(port: u16) -> Vec<IpAddr> {
    let mut found = Vec::new();
    for destination in DESTINATIONS {
        if let Ok(own) = source_of(destination)
            && is_reachable(own)
            && !found.contains(&own)
            && TcpStream::connect_timeout(&SocketAddr::new(own, port), PATIENCE).is_ok()
        {
            found.push(own);
        }
    }
    found
}

/// From which address the system sends to another.
fn source_of(destination: IpAddr) -> io::Result<IpAddr> {
    let any = match destination {
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
    };
    let socket = UdpSocket::bind((any, 0))?;
    // Port 9 is that of the discard protocol; nothing is sent.
    socket.connect((destination, 9))?;
    Ok(socket.local_addr()?.ip())
}

/// Whether another machine may write this address in a link: those of one link alone need the name of an
/// interface too.
fn is_reachable(own: IpAddr) -> bool {
    let is_of_link = match own {
        IpAddr::V4(own) => own.is_link_local(),
        IpAddr::V6(own) => own.is_unicast_link_local(),
    };
    !own.is_loopback() && !own.is_unspecified() && !is_of_link
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn the_system_tells_from_where_it_would_send() {
        let own = IpAddr::V4(Ipv4Addr::LOCALHOST);
        assert_eq!(source_of(own).unwrap(), own);
    }

    #[test]
    fn links_hold_no_address_that_is_this_machine_or_this_cable_alone() {
        for (own, is) in [
            ("192.168.1.5", true),
            ("100.64.0.1", true),
            ("2001:db8::5", true),
            ("fd00::5", true),
            ("127.0.0.1", false),
            ("0.0.0.0", false),
            ("169.254.1.1", false),
            ("::1", false),
            ("::", false),
            ("fe80::1", false),
        ] {
            assert_eq!(is_reachable(own.parse().unwrap()), is, "{own}");
        }
    }

    #[test]
    fn where_nothing_listens_for_others_there_is_no_address() {
        let loopback = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = loopback.local_addr().unwrap().port();
        assert!(reached(port).is_empty());
    }
}
