/**
 * A layer of the map that is painted tile by tile on canvases: `paint(context, tile)` paints a tile.
 *
 * A tile has `zoom`, `box` (projected, with a margin for lines and dots) and `x`, `y`, which convert projected coordinates
 * to pixels of the canvas.
 */
const Painted = L.GridLayer.extend({
  initialize(paint, options) {
    L.setOptions(this, { updateWhenZooming: false, keepBuffer: 2, noWrap: true, ...options });
    this.paint = paint;
    this.shown = new Map();
    this.on("tileunload", (event) => this.shown.delete(event.tile));
  },

  createTile(coords) {
    const canvas = element("canvas");
    this.shown.set(canvas, { x: coords.x, y: coords.y, z: coords.z });
    this.drawn(canvas);
    return canvas;
  },

  drawn(canvas) {
    const coords = this.shown.get(canvas);
    const size = this.getTileSize().x;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    canvas.width = canvas.height = size * ratio;
    const scale = size * 2 ** coords.z;
    const [left, top, margin] = [coords.x * size, coords.y * size, 24];
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.lineCap = context.lineJoin = "round";
    this.paint(context, {
      zoom: coords.z,
      box: [left - margin, top - margin, left + size + margin, top + size + margin].map((pixel) => pixel / scale),
      x: (x) => x * scale - left,
      y: (y) => y * scale - top,
    });
  },

  /** Repaints the shown tiles in place, without flicker. */
  repaint() {
    for (const canvas of this.shown.keys()) this.drawn(canvas);
  },
});

/** Returns the shade of a value, from 0, in a scale of upper limits; values above the last limit have their own shade. */
function shadeOf(value, limits) {
  const index = limits.findIndex((limit) => value <= limit);
  return index < 0 ? limits.length : index;
}

/** Returns the legend items of classes up to each limit and over the last one; `told` returns a limit as text. */
function classesOf(limits, shape, told, over = "") {
  const items = limits.map((limit, shade) => ({ color: `--c${shade}`, text: `up to ${told(limit)}`, shape }));
  return limits.length ? [...items, { color: `--c${limits.length}`, text: `over ${told(limits.at(-1))}${over}`, shape }] : items;
}

/** Returns the items of a legend, one per shade, whose shade occurs among the values. */
function inUse(items, values, shade) {
  const shades = new Set([...values].filter((value) => typeof value === "number").map(shade));
  return items.filter((_, index) => shades.has(index));
}

/**
 * Returns limits of classes near the sextiles of the values: multiples of the first of `steps` that gives five limits, or the
 * most limits if there are few values.
 */
function fitted(values, steps) {
  const sorted = Float64Array.from(values).sort();
  const near = (step) => [...new Set([1, 2, 3, 4, 5].map((part) => Math.max(1, Math.round(sorted[Math.floor(((sorted.length - 1) * part) / 6)] / step)) * step))];
  const fine = steps.filter((step) => step <= sorted.at(-1));
  return sorted.length ? fine.map(near).reduce((most, limits) => (limits.length > most.length ? limits : most), near(fine[0] ?? steps.at(-1))) : [];
}

const meets = (a, b) => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

/** Adds lines or rings to a canvas's path, without points less than 0.7 pixels from the previous one. */
function trace(context, tile, parts) {
  for (const part of parts) {
    let [x, y] = [tile.x(part[0]), tile.y(part[1])];
    context.moveTo(x, y);
    for (let i = 2; i < part.length; i += 2) {
      const [nextX, nextY] = [tile.x(part[i]), tile.y(part[i + 1])];
      if (i + 2 < part.length && Math.abs(nextX - x) < 0.7 && Math.abs(nextY - y) < 0.7) continue;
      [x, y] = [nextX, nextY];
      context.lineTo(x, y);
    }
    // A line of one point is a dot.
    if (part.length === 2) context.lineTo(x + 0.01, y);
  }
}

function stroke(context, tile, parts, color, width) {
  context.beginPath();
  trace(context, tile, parts);
  [context.strokeStyle, context.lineWidth] = [color, width];
  context.stroke();
}

/** Strokes a line with a rim in the colour of the paper, so that it is visible on any background. */
function strokeWithRim(context, tile, parts, color, width) {
  stroke(context, tile, parts, colors.of("--paper"), width + 3);
  stroke(context, tile, parts, color, width);
}

/** Strokes a dashed line, which stands for a straight line instead of a route. Round line caps extend into the gaps. */
function strokeDashed(context, tile, parts, color, width) {
  context.setLineDash([7, 8 + width]);
  strokeWithRim(context, tile, parts, color, width);
  context.setLineDash([]);
}

/** Paints a dot if it is on the tile; `color()` is only called then, and returns null for a dot without a value. */
function paintDot(context, tile, { x, y }, radius, color) {
  if (!meets([x, y, x, y], tile.box)) return;
  context.beginPath();
  context.arc(tile.x(x), tile.y(y), radius, 0, 2 * Math.PI);
  const fill = color();
  if (fill === null) { fillNone(context); return; }
  context.fillStyle = fill;
  context.fill();
}
