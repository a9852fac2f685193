// @ts-check
// A bar that scrolls sideways shows where there is more of it.

/**
 * Let a part that scrolls sideways fade at each edge behind which there is more.
 * @template {HTMLElement} Part
 * @param {Part} part
 */
export function fading(part) {
  const look = () => {
    const { clientWidth, scrollLeft, scrollWidth } = part;
    part.classList.toggle("more-left", scrollLeft > 1);
    part.classList.toggle("more-right", scrollLeft + clientWidth < scrollWidth - 1);
  };
  part.classList.add("fading");
  part.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(part);
  return part;
}
