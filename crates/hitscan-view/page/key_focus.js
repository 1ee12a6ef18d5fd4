/** The owner of a key: the picture wherever nothing else has a use for it. */

import { isSingle, singleKeys } from "./key_switch.js";

/** Where text is typed, and what is open over the page. */
const TYPED = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable], dialog[open], [popover]:popover-open";
/** What has a use of its own for some keys. */
const CONTROLS = "button, a, input, [role=option], [role=tab], [role=treeitem], [role=listbox], [role=tree], [role=slider], [role=tabpanel], [role=region], [tabindex=\"0\"]";
/** Those keys. */
const OWN = /^(Enter| |Arrow.*|Home|End|Page.*|Tab|Escape|\[|\])$/;

/** @param {KeyboardEvent} event */
export function isForPicture({ target, key, ctrlKey, metaKey, altKey, defaultPrevented }) {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return false;
  if (isSingle(key) && !singleKeys()) return false;
  if (!(target instanceof Element) || target.id === "picture") return true;
  if (target.closest(TYPED)) return false;
  return !(OWN.test(key) && target.closest(CONTROLS));
}

/** Whether text is being typed, which has an undo of its own. @param {Event} event */
export const isTyped = ({ target }) => target instanceof Element && target.closest(TYPED) !== null;
