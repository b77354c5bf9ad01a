/**
 * A layer of the map that is painted tile by tile on canvases: `paint(context, tile)` draws what lies in a tile.
 *
 * A tile has `zoom`, `box` (of the web's map, wider than itself by what lines and dots need) and `x`, `y`, which turn a
 * point of the web's map into pixels of the canvas.
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

  /** Paints again what is shown, in place: nothing flickers. */
  repaint() {
    for (const canvas of this.shown.keys()) this.drawn(canvas);
  },
});

/** The shade of a value in a scale of upper limits, counted from 0; values above the last limit have one of their own. */
function shadeOf(value, limits) {
  const index = limits.findIndex((limit) => value <= limit);
  return index < 0 ? limits.length : index;
}

/** The items of a legend of classes up to some limits and over the last, which `told` writes, in a shape. */
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
 * The limits of classes near the sextiles of the values: multiples of the first of `steps` of which these are five, or the
 * most if there are few values.
 */
function fitted(values, steps) {
  const sorted = Float64Array.from(values).sort();
  const near = (step) => [...new Set([1, 2, 3, 4, 5].map((part) => Math.max(1, Math.round(sorted[Math.floor(((sorted.length - 1) * part) / 6)] / step)) * step))];
  const fine = steps.filter((step) => step <= sorted.at(-1));
  return sorted.length ? fine.map(near).reduce((most, limits) => (limits.length > most.length ? limits : most), near(fine[0] ?? steps.at(-1))) : [];
}

const meets = (a, b) => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

/** Adds lines or rings to a canvas's path, without points closer than most of a pixel. */
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

/** A line in a colour over a rim of the paper's, so that it is seen upon anything. */
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

/** A dot, if it is on the tile: only then is its `color()` asked for, which is null for what has no value. */
function paintDot(context, tile, { x, y }, radius, color) {
  if (!meets([x, y, x, y], tile.box)) return;
  context.beginPath();
  context.arc(tile.x(x), tile.y(y), radius, 0, 2 * Math.PI);
  const fill = color();
  if (fill === null) { fillNone(context); return; }
  context.fillStyle = fill;
  context.fill();
}
