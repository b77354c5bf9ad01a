/**
 * The interactive map, which replaces the picture: a basemap, layers of results, their legend, and a tooltip at the pointer.
 *
 *     const explorer = new Explorer(document.querySelector(".explorer"), data);
 *     explorer.add({ name: "origins", paint(context, tile) { … }, find(x, y, reach) { … }, pick(found) { … } });
 */
class Explorer {
  constructor(root, data) {
    this.root = root;
    this.layers = [];
    // The name of the hour or percentile that is shown at first, and its index on the slider.
    [this.initial, this.firstHour] = [data.initial, 0];
    // Read now, because the address changes as soon as the map moves.
    this.savedMinutes = Number(opened("minutes"));
    // The list, which the details of a picked item replace.
    this.side = element("div", { class: "side" });
    this.detail = element("section", { class: "detail", hidden: true, "aria-label": "Selected item" });
    this.panel = element("div", { class: "panel", hidden: true }, this.side, this.detail);
    this.frame = element("div", { class: "frame", role: "group", "aria-label": "Map; arrow keys move it, plus and minus zoom. Its data is also in the tables." });
    this.controls = element("div", { class: "controls" });
    this.title = element("button", { type: "button", class: "title", id: "legend", "aria-expanded": "true", onclick: () => this.fold() });
    this.key = element("ul", { class: "legend", "aria-labelledby": "legend" });
    this.notes = element("p", { class: "soft notes" });
    this.live = element("p", { class: "hidden", role: "status", "aria-live": "polite" });
    const box = element("div", { class: "mapbox" }, this.frame, element("div", { class: "key" }, this.title, this.key, data.drawn ? element("p", { class: "soft" }, data.drawn) : ""));
    root.append(element("div", { class: "stage" }, this.controls, box, this.notes, this.live), this.panel);
    // Escape works wherever the focus is, but not on the page of one pair, which has no list to return to.
    document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !event.defaultPrevented && this.list) this.leave?.(); });
    root.hidden = false;
    document.documentElement.classList.add("explored");

    const [south, west, north, east] = data.box;
    this.bounds = L.latLngBounds([south, west], [north, east]);
    const map = (this.map = L.map(this.frame, {
      zoomSnap: 0.25, zoomDelta: 1, wheelPxPerZoomLevel: 90, fadeAnimation: false, minZoom: 3, maxZoom: 19,
      maxBounds: this.bounds.pad(1.5), attributionControl: false,
      zoomAnimation: !matchMedia("(prefers-reduced-motion: reduce)").matches,
    }));
    L.control.attribution({ prefix: false }).addTo(map)
      .addAttribution('© <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors');
    L.control.scale({ imperial: false, position: "bottomright" }).addTo(map);
    map.createPane("backdrop").style.zIndex = 150;
    // Both have the same z-index, so their order in the document decides which is on top (`legend`).
    for (const pane of ["names", "results"]) map.createPane(pane).style.zIndex = 250;
    map.getPane("names").style.pointerEvents = "none";
    this.showAll();
    // Zooming out ends at the painted area.
    map.setMinZoom(Math.max(3, Math.min(map.getZoom(), map.getBoundsZoom(map.options.maxBounds, true))));

    this.backdrop = new Backdrop(data.backdrop ?? []);
    if (data.tiles) L.tileLayer(data.tiles, { pane: "backdrop", maxZoom: 19 }).addTo(map);
    else {
      const ground = this.add({ name: "map", pane: "backdrop", paint: (context, tile) => this.backdrop.paint(context, tile) });
      this.backdrop.hills?.read(() => this.repaint(ground));
    }
    this.names = new PlaceNames(this.backdrop.places, this.backdrop).addTo(map);
    if (data.leftOut) this.note(data.leftOut);

    this.tip = L.tooltip({ direction: "top", offset: [0, -8], className: "tip" });
    map.on("mousemove", (event) => this.hover(event));
    map.on("mouseout", () => this.tip.remove());
    map.on("click", (event) => this.click(event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      colors.found.clear();
      this.repaint();
    });
    new ResizeObserver(() => map.invalidateSize({ animate: false })).observe(this.frame);
    new ResizeObserver(() => this.fitHeight()).observe(this.controls);
  }

  /**
   * Adds a layer of results. `paint(context, tile)` paints it. `find(x, y, reach)` returns the item at most `reach` from
   * a point, in Web Mercator coordinates, as `{ text, … }`, or nothing; `pick(found)` is called when the item is clicked.
   * With `toggle`, a checkbox with the layer's `name` hides it. `opacity` applies to the whole layer; with `isBelow` it is
   * under all other layers.
   */
  add(layer) {
    layer.painted = new Painted((context, tile) => layer.paint(context, tile), { pane: layer.pane ?? "results", zIndex: layer.isBelow ? 0 : this.layers.length + 1, opacity: layer.opacity ?? 1 });
    layer.painted.addTo(this.map);
    this.layers[layer.isBelow ? "unshift" : "push"](layer);
    if (layer.toggle) {
      const box = element("input", { type: "checkbox", checked: true });
      box.addEventListener("change", () => this.show(layer, box.checked));
      this.controls.append(element("label", { class: "toggle" }, box, " ", layer.name));
      layer.box = box;
    }
    return layer;
  }

  /**
   * Adds a slider of hours, or of percentiles, whose names begin with "percentile". `change(index)` is called as it moves.
   * If `value` is given, a bar as high as `value(index)` is above each hour; `name` is the tooltip of the bars.
   */
  addHours(hours, change, name, value) {
    const word = hours[0].startsWith("percentile ") ? "" : "hour ";
    const told = element("output", {}, moment(hours[0]));
    const slider = element("input", { type: "range", min: 0, max: hours.length - 1, value: 0, "aria-label": word.trim() || "percentile", "aria-valuetext": moment(hours[0]) });
    this.slider = slider;
    const values = value ? hours.map((_, index) => value(index) ?? 0) : [];
    const most = Math.max(...values, 1e-9);
    const bars = values.map((height, index) => element("i", { style: `height: ${(100 * height) / most}%`, onclick: () => setControl(slider, index) }));
    const mark = () => bars.forEach((bar, index) => bar.classList.toggle("now", index === Number(slider.value)));
    mark();
    this.firstHour = Math.max(0, hours.indexOf(this.initial));
    slider.addEventListener("input", () => {
      told.textContent = moment(hours[slider.value]);
      slider.setAttribute("aria-valuetext", told.textContent);
      mark();
      change(Number(slider.value));
      this.take?.remember();
    });
    const strip = values.length > 2 ? element("span", { class: "strip", "aria-hidden": "true", title: name }, bars) : null;
    const label = element("span", { class: "hours" }, this.playButton(slider, word.trim() || "percentiles"), element("label", { class: "hours" }, word, element("span", { class: "slide" }, strip, slider), told));
    this.controls.append(label);
    return label;
  }

  /** Adds a slider of minutes, with "any" at its end. `change(minutes)`, with null for any, is called as it moves and returns the text next to it. */
  addMinutes(most, change) {
    const told = element("output", {}, change(null));
    const slider = element("input", { type: "range", min: 1, max: most + 1, value: most + 1, "aria-label": "minutes at most" });
    const move = () => {
      const minutes = Number(slider.value) > most ? null : Number(slider.value);
      told.textContent = change(minutes);
      slider.setAttribute("aria-valuetext", told.textContent);
    };
    slider.addEventListener("input", () => { move(); this.take?.remember(); });
    // Some kinds add this slider only after their data is read.
    const saved = this.savedMinutes;
    if (saved >= 1 && saved <= most) { slider.value = saved; move(); }
    this.minutes = slider;
    this.take?.remember();
    this.controls.append(element("span", { class: "hours minutes" }, this.playButton(slider, "minutes"), element("label", { class: "hours minutes" }, "within ", slider, told)));
    return move;
  }

  /** Returns a button that moves a slider from its start to its end, two steps a second, or stops it. Only one slider moves at a time. */
  playButton(slider, name) {
    const button = element("button", { type: "button", class: "plain play", "aria-label": `play ${name}`, onclick: () => {
      const isOwn = this.playing?.slider === slider;
      this.playing?.stop();
      if (isOwn) return;
      const stop = () => {
        clearInterval(timer);
        this.playing = null;
        [button.textContent, button.ariaLabel] = ["▶", `play ${name}`];
      };
      [button.textContent, button.ariaLabel] = ["⏸", `stop ${name}`];
      setControl(slider, slider.min);
      const timer = setInterval(() => { if (Number(slider.value) >= Number(slider.max)) stop(); else setControl(slider, Number(slider.value) + 1); }, 500);
      this.playing = { slider, stop };
    } }, "▶");
    return button;
  }

  show(layer, isShown) {
    layer.isHidden = !isShown;
    if (layer.box) layer.box.checked = isShown;
    if (isShown) layer.painted.addTo(this.map);
    else layer.painted.remove();
    this.onShow?.();
  }

  repaint(layer) {
    for (const each of layer ? [layer] : this.layers) each.painted.repaint();
  }

  /** Adds the list of all items that can be picked, next to the map. */
  addList(list) {
    this.list = list;
    this.side.append(list.root);
    this.panel.hidden = false;
    return list;
  }

  /** Shows a picked item instead of the list; `leave` is called when the user returns to the list. */
  card(leave, ...content) {
    this.leave = () => {
      this.leave = null;
      const isInside = this.detail.contains(document.activeElement);
      this.detail.hidden = true;
      this.side.hidden = false;
      leave();
      this.take?.remember();
      this.list?.reveal();
      if (isInside) this.list?.scroller.focus({ preventScroll: true });
    };
    const step = (by, sign, name) => element("button", { type: "button", class: "plain", "aria-label": name, onclick: () => this.list.step(by) }, sign);
    const hasFocus = this.panel.contains(document.activeElement);
    const bar = this.list ? [element("p", { class: "bar" }, element("button", { type: "button", class: "plain back", onclick: () => this.leave() }, "‹ all"), element("span", {}, step(-1, "↑", "previous"), " ", step(1, "↓", "next")))] : [];
    this.detail.replaceChildren(...bar, ...content);
    this.detail.scrollTop = 0;
    this.onCard?.();
    [this.panel.hidden, this.detail.hidden, this.side.hidden] = [false, false, true];
    if (hasFocus) this.detail.querySelector(".back")?.focus({ preventScroll: true });
    // On a phone, the item's heading would be hidden behind the map and the tabs, which do not scroll, or below the window.
    const { top } = this.detail.getBoundingClientRect();
    // The page of one pair starts at its headline.
    if (this.list && getComputedStyle(this.frame).position === "sticky" && (top < this.frame.getBoundingClientRect().bottom + 48 || top > innerHeight - 100))
      this.detail.scrollIntoView();
    this.take?.remember();
  }

  /** Writes the legend: a title, and the items `{ color: "--c0", text, shape: "dot", "line", "area" or "ring", part: opacity }`. `isOfHour`: whether the map shows the slider's hour. */
  legend(items, title, isOfHour = true) {
    this.title.textContent = title;
    this.isOfHour = isOfHour;
    // Names are under dots and lines, which they would hide, but above areas; names of stations are above their dots.
    const { names, results } = this.map.getPanes();
    if (items.some(({ shape }) => shape === "area") || this.names.places.some(({ kind }) => kind === "own")) names.parentElement.append(names);
    else results.before(names);
    this.key.replaceChildren(
      ...items.map(({ color, text, shape, part }) => element("li", {}, element("i", { class: shape ?? "dot", style: `--color:${color.startsWith("--") ? `var(${color})` : color}${part ? `;--part:${part * 100}%` : ""}` }), text)));
  }

  /** Folds the legend, which covers part of the map, or unfolds it. */
  fold() {
    this.key.hidden = !this.key.hidden;
    this.title.ariaExpanded = String(!this.key.hidden);
  }

  /** A sentence under the map. */
  note(text) { this.notes.append(this.notes.childNodes.length ? " " : "", text); }

  /** Writes the names of the results' own places from `minZoom` on; they take precedence over the names of the map. */
  addNames(places, minZoom) {
    this.names.places.unshift(...places.map(({ name, x, y }) => ({ name, kind: "own", minZoom, parts: [Float64Array.of(x, y)] })));
    this.names.write();
  }

  /** Writes street names next to these lines, not on them. */
  nameBeside(lines) {
    this.names.lines = lines;
    this.names.write();
  }

  /** Announces the effect of a pick to screen readers. */
  say(text) { this.live.textContent = text; }

  /** Makes `showAll` fit these parts of the results closely, within the box of the data. */
  frameOf(parts, margin = 0) {
    const [west, north, east, south] = boxAround(parts);
    const [first, last] = [place([west - margin, south + margin]), place([east + margin, north - margin])];
    const within = (value, low, high) => Math.min(Math.max(value, low), high);
    const [low, high] = [this.bounds.getSouthWest(), this.bounds.getNorthEast()];
    const corner = ({ lat, lng }) => [within(lat, low.lat, high.lat), within(lng, low.lng, high.lng)];
    if (west <= east) this.bounds = L.latLngBounds(corner(first), corner(last)).pad(0.02);
  }

  /** Passes the height of everything above the map to the style sheet, which ends the map at the lower edge of the screen. */
  fitHeight() { this.root.style.setProperty("--above", `${Math.ceil(this.frame.getBoundingClientRect().top + scrollY)}px`); }

  /** Shows all of the results. */
  showAll() { this.fitBounds(this.bounds, { maxZoom: 18 }); }

  /** Shows bounds in degrees to the right of the legend or above it, whichever shows them larger. */
  fitBounds(bounds, options) {
    this.fitHeight();
    this.map.invalidateSize({ animate: false });
    const box = this.title.parentElement;
    // A legend without a title is not displayed.
    const isOnMap = box.offsetWidth > 0 && getComputedStyle(box).position === "absolute";
    const [right, above] = isOnMap ? [[box.offsetLeft + box.offsetWidth, 0], [0, this.frame.clientHeight - box.offsetTop]] : [[0, 0], [0, 0]];
    const zoom = (padding) => this.map.getBoundsZoom(bounds, false, L.point(padding));
    this.map.fitBounds(bounds, { animate: false, ...options, ...(zoom(right) >= zoom(above) ? { paddingTopLeft: right } : { paddingBottomRight: above }) });
  }

  /** Shows a box in Web Mercator coordinates. */
  fit(box, options) {
    const bounds = L.latLngBounds(place([box[0], box[3]]), place([box[2], box[1]]));
    this.fitBounds(bounds.pad(0.06), { maxZoom: 17, ...options });
  }

  /** Returns the length of some pixels in Web Mercator coordinates. */
  reach(pixels) { return pixels / (256 * 2 ** this.map.getZoom()); }

  found(latlng) {
    const [x, y] = world(latlng.lat, latlng.lng);
    for (const layer of [...this.layers].reverse()) {
      if (!layer.find || layer.isHidden) continue;
      const found = layer.find(x, y, this.reach(10));
      if (found) return { layer, found };
    }
    return null;
  }

  hover(event) {
    const hit = this.found(event.latlng);
    const [x, y] = world(event.latlng.lat, event.latlng.lng);
    const text = hit ? hit.found.text : this.backdrop.isBeyond(x, y) ? "edge of the map" : this.backdrop.nameAt(x, y, this.reach(6), this.map.getZoom());
    this.frame.classList.toggle("picks", Boolean(hit && hit.layer.pick));
    if (!text) { this.tip.remove(); return; }
    this.tip.setLatLng(event.latlng).setContent(element("span", {}, text));
    if (!this.map.hasLayer(this.tip)) this.tip.addTo(this.map);
  }

  click(event) {
    const hit = this.found(event.latlng);
    if (hit && hit.layer.pick) hit.layer.pick(hit.found);
  }
}

/** Paints marks with names, such as stations or the ends of a trip: `{ x, y, name, color }`. */
function paintMarks(context, tile, marks, { radius = 5, rim = 2.5 } = {}) {
  for (const mark of marks) {
    if (!meets([mark.x, mark.y, mark.x, mark.y], tile.box)) continue;
    context.beginPath();
    context.arc(tile.x(mark.x), tile.y(mark.y), radius, 0, 2 * Math.PI);
    context.fillStyle = mark.fill ?? colors.of("--paper");
    context.strokeStyle = mark.color ?? colors.of("--station");
    context.lineWidth = rim;
    context.fill();
    context.stroke();
  }
}

/** Returns the nearest of some points, no farther than `reach`; null if there is none. */
function nearestPoint(points, x, y, reach) {
  let [nearest, least] = [null, reach * reach];
  for (const point of points) {
    const square = (point.x - x) ** 2 + (point.y - y) ** 2;
    if (square <= least) [nearest, least] = [point, square];
  }
  return nearest;
}

/** Returns the nearest of some lines, each with its `parts` and their `box`, closer than `reach`; null if there is none. */
function nearestLine(lines, x, y, reach, isMeant = () => true) {
  const near = [x - reach, y - reach, x + reach, y + reach];
  let [nearest, least] = [null, reach * reach];
  for (const line of lines) {
    if (!meets(line.box, near) || !isMeant(line)) continue;
    for (const part of line.parts) {
      const square = squaredDistance(part, x, y);
      if (square < least) [nearest, least] = [line, square];
    }
  }
  return nearest;
}
