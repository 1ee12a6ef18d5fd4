/**
 * The key of the program: the printed address brings it, the browser keeps it for this address, and
 * from then on it is in no address that is shown or copied.
 */

const NAME = "hitscan-key";

/** @returns {string | undefined} */
function kept() {
  try {
    return localStorage.getItem(NAME) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param {string | undefined} inAddress the key of the page's own address */
export function createKey(inAddress) {
  let given = inAddress;

  return {
    /** What the program is sent. @returns {string | undefined} */
    said: () => given ?? kept(),

    /** What the address must keep, for want of another place. @returns {string | undefined} */
    inAddress: () => given,

    /**
     * Takes the key of an address that is opened in this page.
     * @param {string | undefined} key
     * @returns {boolean} whether it is another than before
     */
    take(key) {
      if (key === undefined) return false;
      const before = given ?? kept();
      given = key;
      return key !== before;
    },

    /** The program takes it: the browser keeps it, and the address has it no more. */
    accepted() {
      if (given === undefined) return;
      try {
        localStorage.setItem(NAME, given);
      } catch {
        return;
      }
      given = undefined;
      history.replaceState(history.state, "", `${location.pathname}${location.search}${withoutKey(location.hash)}`);
    },

    /**
     * The program takes another.
     * @returns {boolean} whether there is one more to try: an old link may have an old key
     */
    refused() {
      const other = kept();
      if (given === undefined || other === undefined || other === given) return false;
      given = undefined;
      return true;
    },

    /**
     * Hears of a key that another page of this address brings.
     * @param {() => void} hear
     */
    whenBrought(hear) {
      globalThis.addEventListener("storage", ({ key, newValue }) => {
        if (key !== NAME || newValue === null) return;
        given = undefined;
        hear();
      });
    },
  };
}

/**
 * A fragment without its key.
 * @param {string} fragment with its `#`, or empty
 */
export function withoutKey(fragment) {
  const fields = fragment.replace(/^#/, "").split("&").filter((field) => field !== "" && !field.startsWith("key="));
  return fields.length > 0 ? `#${fields.join("&")}` : "";
}
