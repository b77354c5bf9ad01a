/**
 * The map of traces: traces by the ratio of moving to expected time, streets by the ratio observed on them at each hour,
 * and the picked trace with its fixes, parts and breaks.
 *
 * `data.traces` has columns of traces (`id`, `ratio`, `why`, `lines` of fixes, …), `data.parts` `[trace, why it begins,
 * line]`, `data.streets` `[name, [hour, passes, slowness] …, line]`, `data.stops` `[trace, seconds, street, point]`.
 */
class TraceMap {
  constructor(explorer, data) {
    Object.assign(this, { explorer, data, scale: data.scale, picked: -1, hour: -1 });
    const { traces } = data;
    this.parts = data.parts.map(([trace, begin, text]) => {
      const parts = decoded(text);
      return { trace, begin, parts, box: boxAround(parts), ratio: trace < 0 ? null : traces.ratio[trace] };
    });
    // Slow traces are drawn above fast ones on the same streets.
    this.byRatio = [...this.parts].sort((a, b) => (a.ratio ?? 0) - (b.ratio ?? 0));
    this.streets = data.streets.map(([name, hours, text]) => {
      const parts = decoded(text);
      return { name, hours, parts, box: boxAround(parts) };
    });
    this.stops = data.stops.map(([trace, seconds, street, text]) => {
      const [[x, y]] = decoded(text);
      return { trace, seconds, street, x, y };
    });
    this.choice = element("select", { "aria-label": "Display", onchange: () => this.change() },
      element("option", { value: "traces" }, "traces"), this.streets.length ? element("option", { value: "streets" }, "streets, observed over expected time") : null);
    explorer.controls.append(element("label", {}, "Draw: ", this.choice));
    const hours = ["all hours", ...Array.from({ length: 24 }, (_, hour) => `${hour} to ${hour + 1}${noBreak}h`)];
    this.hours = explorer.addHours(hours, (index) => {
      this.hour = index - 1;
      this.change();
    });
    explorer.add({ name: "traces", paint: (context, tile) => this.paint(context, tile), find: (x, y, reach) => this.find(x, y, reach), pick: (found) => found.trace >= 0 && this.pick(found.trace) });
    this.stopLayer = explorer.add({ name: "stops", toggle: true, paint: (context, tile) => paintMarks(context, tile, this.stops, { radius: 4 }), find: (x, y, reach) => this.findStop(x, y, reach) });
    // Many rings would hide the traces.
    if (this.stops.length > 100) explorer.show(this.stopLayer, false);
    explorer.onShow = () => this.change();
    this.one = explorer.add({ name: "picked", paint: (context, tile) => this.paintPicked(context, tile) });
    if (data.leftOutStreets) explorer.note(data.leftOutStreets);
    this.addList();
    explorer.take = new Take(explorer, {
      word: "trace", table: "trace", id: "trace_id", picked: () => data.traces.id[this.picked],
      columns: ["trace_id", "departure_date", "distance", "moving_time", "expected_travel_time", "time_ratio"],
      row: (row) => ["id", "departure", "distance", "moving", "expected", "ratio"].map((name) => data.traces[name][row]),
      geometry: (row) => {
        const parts = this.parts.filter((part) => part.trace === row).flatMap((part) => part.parts);
        return parts.length ? lineGeometry(parts) : null;
      },
    });
    addBrushes(explorer, {
      expected_travel_time: (row) => data.traces.expected[row], distance: (row) => data.traces.distance[row], time_ratio: (row) => data.traces.ratio[row],
    });
    this.change();
  }

  shade(ratio) { return shadeOf(ratio, this.scale); }

  change() {
    const isStreets = this.choice.value === "streets";
    this.hours.hidden = !isStreets;
    const ratios = isStreets ? this.streets.map((street) => this.slowness(street)?.slowness) : this.parts.map(({ ratio }) => ratio);
    const isTimed = isStreets || ratios.some((ratio) => ratio !== null);
    this.explorer.legend([
      ...inUse(classesOf(this.scale, "line", (limit) => decimal(limit, 2), " times the expected time"), ratios, (ratio) => this.shade(ratio)),
      ...(isStreets || this.parts.every(({ ratio }) => ratio !== null) ? [] : [{ color: "--soft", text: "without times", shape: "line" }]),
      ...(isStreets || this.parts.every(({ begin }) => begin === "start") ? [] : [{ color: "--alert", text: "a part begins after a break", shape: "dot" }]),
      ...(this.stops.length && !this.stopLayer.isHidden ? [{ color: "--station", text: "stop", shape: "ring" }] : []),
    ], isStreets ? "Observed / expected time" : isTimed ? "Time / expected time" : "Traces", isStreets);
    this.explorer.repaint();
  }

  /** Whether a trace is in the marked range of a histogram; true until the list is created, after the first painting. */
  isListed(trace) { return trace < 0 || (this.list?.has(trace) ?? true); }

  slowness(street) {
    const hours = street.hours.filter(([hour]) => this.hour < 0 || hour === this.hour);
    const passes = hours.reduce((sum, [, passes]) => sum + passes, 0);
    return passes ? { passes, slowness: hours.reduce((sum, [, passes, slowness]) => sum + passes * slowness, 0) / passes } : null;
  }

  paint(context, tile) {
    if (this.choice.value === "streets") {
      for (const street of this.streets) {
        if (!meets(street.box, tile.box)) continue;
        const found = this.slowness(street);
        if (!found) continue;
        stroke(context, tile, street.parts, colors.of(`--c${this.shade(found.slowness)}`), tile.zoom < 13 ? 2 : 4);
      }
      return;
    }
    context.globalAlpha = this.picked >= 0 ? 0.2 : 0.75;
    const shown = this.byRatio.filter(({ trace }) => this.isListed(trace));
    for (const part of shown) {
      if (!meets(part.box, tile.box)) continue;
      stroke(context, tile, part.parts, colors.of(part.ratio === null ? "--soft" : `--c${this.shade(part.ratio)}`), this.parts.length > 300 ? 1.6 : 3);
    }
    const breaks = shown.filter((part) => part.begin !== "start").map(({ parts: [line] }) => ({ x: line[0], y: line[1], color: colors.of("--alert"), fill: colors.of("--alert") }));
    paintMarks(context, tile, breaks, { radius: 2 });
    context.globalAlpha = 1;
  }

  /** Paints the picked trace: its parts (in two alternating colours if they have no times), fixes, breaks and stops. */
  paintPicked(context, tile) {
    if (this.picked < 0) return;
    const own = this.parts.filter((part) => part.trace === this.picked);
    const color = (ratio, index) => (ratio !== null ? `--c${this.shade(ratio)}` : index % 2 ? "--c3" : "--accent");
    own.forEach((part, index) => strokeWithRim(context, tile, part.parts, colors.of(color(part.ratio, index)), 4));
    const [fixes] = decoded(this.data.traces.lines[this.picked]);
    for (let i = 0; fixes && i < fixes.length; i += 2) paintDot(context, tile, { x: fixes[i], y: fixes[i + 1] }, 2.5, () => colors.of("--ink"));
    const breaks = own.filter((part) => part.begin !== "start").map(({ parts: [line] }) => ({ x: line[0], y: line[1], color: colors.of("--alert") }));
    paintMarks(context, tile, breaks, { radius: 6 });
    // The radius grows with the duration: five pixels for a minute, twelve for an hour.
    for (const stop of this.stops.filter(({ trace }) => trace === this.data.traces.id[this.picked]))
      paintMarks(context, tile, [stop], { radius: Math.min(14, 4 + Math.sqrt(stop.seconds / 60)) });
    if (this.spot) paintMarks(context, tile, [{ ...this.spot, color: colors.of("--paper"), fill: colors.of("--alert") }], { radius: 8 });
  }

  /** Moves a mark along the picked trace from fix to fix, in at most ten seconds; stops it if it is moving. */
  replay(button, told) {
    const fixes = decoded(this.data.traces.lines[this.picked])[0] ?? new Float64Array();
    const count = fixes.length / 2;
    const stop = () => {
      clearInterval(this.playing);
      [this.playing, this.spot] = [null, null];
      [button.textContent, told.textContent] = ["▶ Play", ""];
      this.explorer.repaint(this.one);
    };
    this.stopReplay = stop;
    if (this.playing) { stop(); return; }
    button.textContent = "⏸ Stop";
    const step = Math.max(0.2, count / 200);
    let at = 0;
    const move = () => {
      if (at > count - 1) { stop(); return; }
      const [fix, part] = [Math.floor(at), at % 1];
      const next = Math.min(fix + 1, count - 1);
      const between = (index) => fixes[fix * 2 + index] + (fixes[next * 2 + index] - fixes[fix * 2 + index]) * part;
      this.spot = { x: between(0), y: between(1) };
      told.textContent = ` fix ${fix + 1} of ${count}`;
      this.explorer.repaint(this.one);
      at += step;
    };
    move();
    this.playing = setInterval(move, 50);
  }

  /** The button of the replay; empty if the page has no fixes of the trace. */
  player(row) {
    if (!this.data.traces.lines[row]) return "";
    const told = element("span", { class: "soft" });
    const button = element("button", { type: "button", class: "plain", onclick: () => this.replay(button, told) }, "▶ Play");
    return element("p", {}, button, told);
  }

  find(x, y, reach) {
    const isStreets = this.choice.value === "streets";
    const nearest = nearestLine(isStreets ? this.streets : this.parts, x, y, reach, (line) => isStreets || this.isListed(line.trace));
    if (!nearest) return null;
    if (!isStreets) return { trace: nearest.trace, text: nearest.trace < 0 ? "trace" : this.told(nearest.trace) };
    const found = this.slowness(nearest);
    return found && { trace: -1, text: `${nearest.name || "street"}: ${decimal(found.slowness, 2)} times the expected time, ${decimal(found.passes)} passes` };
  }

  findStop(x, y, reach) {
    const stop = nearestPoint(this.stops, x, y, reach);
    return stop && { text: `${duration(stop.seconds)} stop of ${stop.trace}${stop.street ? `, ${stop.street}` : ""}` };
  }

  told(trace) {
    const { id, ratio, why } = this.data.traces;
    return `${id[trace]}: ${why[trace] ?? (ratio[trace] === null ? "without times" : `${decimal(ratio[trace], 2)} times the expected time`)}`;
  }

  addList() {
    const { traces } = this.data;
    this.list = this.explorer.addList(new PickList({
      caption: "All traces", count: traces.id.length, order: 2, descends: true, pick: (row) => this.pick(row),
      search: (row) => `${traces.id[row]} ${traces.departure[row] ?? ""} ${traces.why[row] ?? ""}`,
      columns: [
        { title: "trace", text: (row) => String(traces.id[row]), value: (row) => String(traces.id[row]), width: 38 },
        { title: "moving", isNumber: true, text: (row) => duration(traces.moving[row]), value: (row) => traces.moving[row], width: 24 },
        { title: "× expected", isNumber: true, text: (row) => decimal(traces.ratio[row], 2), value: (row) => traces.ratio[row], width: 38 },
      ],
    }));
  }

  /** The table of the stops of a trace, the longest first; empty if it has none. */
  stopsOf(id) {
    const own = this.stops.filter((stop) => stop.trace === id).sort((a, b) => b.seconds - a.seconds).slice(0, 20);
    if (!own.length) return "";
    return tableOf("Stops", ["street", "#time"], own.map((stop) => [
      element("button", { type: "button", class: "plain", onclick: () => this.explorer.fit(boxAround([Float64Array.of(stop.x, stop.y)])) }, stop.street || "street"), duration(stop.seconds)]));
  }

  /** Returns to all traces. */
  leave() {
    this.stopReplay?.();
    this.picked = -1;
    this.list.select(-1);
    this.explorer.nameBeside([]);
    this.explorer.repaint();
  }

  pick(row) {
    this.stopReplay?.();
    this.picked = row;
    if (this.list.picked !== row) this.list.select(row);
    const own = this.parts.filter((part) => part.trace === row);
    this.explorer.nameBeside(own.flatMap((part) => part.parts));
    const lines = [...own.flatMap((part) => part.parts), ...decoded(this.data.traces.lines[row])];
    if (lines.length) this.explorer.fit(boxAround(lines));
    this.explorer.repaint();
    const { traces } = this.data;
    const [fixes, kept, matched] = traces.fixes[row];
    this.explorer.card(() => this.leave(),
      element("h2", {}, `Trace ${traces.id[row]}`),
      element("p", {}, [moment(traces.departure[row]), length(traces.distance[row]), `${traces.moving[row] === null ? "without times" : `${duration(traces.moving[row])} moving`}, ${duration(traces.expected[row])} expected`, `${decimal(matched)} of ${decimal(kept)} fixes are on streets${kept < fixes ? `, ${decimal(fixes - kept)} more are dropped` : ""}`, traces.why[row]].filter(Boolean).join(" · ")),
      this.player(row),
      this.stopsOf(traces.id[row]),
      own.length ? tableOf("Drawn parts, and the break before each", ["#part", "break before"], own.map((part, index) => [String(index + 1), part.begin])) : element("p", { class: "soft" }, "No part is drawn."));
    this.explorer.say(this.told(row));
  }
}

kinds.traces = (explorer, data) => new TraceMap(explorer, data);
