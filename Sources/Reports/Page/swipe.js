/**
 * A divider to drag across the map: `before(context, tile)` paints to the left of it, `now(context, tile)` to the right.
 * `layer` has the other options of both layers.
 */
class Swipe {
  /** The width of the slider's thumb in pixels, as in the style. */
  static thumb = 36;

  constructor(explorer, before, now, layer) {
    this.explorer = explorer;
    this.sides = [["before", before], ["now", now]].map(([name, paint]) => {
      const pane = explorer.map.createPane(name);
      pane.style.zIndex = 250;
      return { pane, layer: explorer.add({ ...layer, name, pane: name, paint }) };
    });
    this.slider = element("input", { type: "range", class: "swipe", min: 0, max: 100, value: 50, "aria-label": "divider between before, on the left, and now", oninput: () => this.place() });
    this.line = element("div", { class: "swipe-line", "aria-hidden": "true" }, element("span", {}, "before"), element("span", {}, "now"));
    explorer.frame.append(this.line, this.slider);
    // Dragging the divider must not move the map.
    L.DomEvent.disableClickPropagation(this.slider);
    explorer.map.on("move zoomend resize", () => this.place());
    this.show(false);
  }

  show(isShown) {
    for (const { layer } of this.sides) this.explorer.show(layer, isShown);
    this.slider.hidden = this.line.hidden = !isShown;
    if (isShown) this.place();
  }

  place() {
    const { map } = this.explorer;
    const { x: width, y: height } = map.getSize();
    const { x, y } = map.containerPointToLayerPoint([0, 0]);
    const part = Number(this.slider.value) / 100;
    const at = width * part + (0.5 - part) * Swipe.thumb;
    const clip = (left, right) => `rect(${y}px, ${x + right}px, ${y + height}px, ${x + left}px)`;
    this.sides[0].pane.style.clip = clip(0, part > 0 ? at : 0);
    this.sides[1].pane.style.clip = clip(part < 1 ? at : width, width);
    this.line.style.left = `${at}px`;
  }
}
