import { h } from "/shared/dom.js";

/** A field to sign in, where the device has what it takes. */
export function signature(target, ready) {
  const Pad = window.SignPad;
  if (!Pad) {
    target.replaceChildren(h("p", {}, "Signing is not possible on this device. Please print the form and send it by post."));
    return null;
  }
  const canvas = h("canvas", { width: 420, height: 120, style: "border:1px solid #c9d6e2" });
  target.replaceChildren(h("p", {}, "Please sign here:"), canvas);
  ready();
  return new Pad(canvas);
}
