/**
 * Exports of the page: the address of the current view, the listed rows as CSV, GeoJSON and SQL, and the map as a picture.
 * Nothing is loaded or sent.
 *
 * A kind describes its rows: `{ word, table, id, where, columns, row(index), geometry(index), hour(index), isByHour }`: the
 * word used in addresses, the table, its column of ids and a condition for its rows, the names of columns and a row's values,
 * its GeoJSON geometry, its hour or "percentile 50", and whether there is a row for each hour or percentile.
 * `geometryIs(index)` returns the meaning of the geometry if it is not obvious; `hasHours` is whether there are several hours;
 * `isPart` is whether the list has only a part of the table; `other()` and `pickOther(id)` get and set the other end of a
 * picked trip. If `parts` has several values, such as thresholds, a listed row is several rows of the table, and a part is
 * the second argument of `row`, `geometry` and `geometryIs`.
 */
class Take {
  constructor(explorer, rows) {
    Object.assign(this, { explorer, rows });
    const button = (text, title, act) => element("button", { type: "button", title, onclick: act }, text);
    this.link = button("Link", "Copy a link to this view", () => this.copy(location.href));
    explorer.controls.append(element("span", { class: "take", role: "group", "aria-label": "Export" },
      button("CSV", "Save the listed rows, rounded as on this page", () => this.save("csv", "text/csv", this.csv())),
      button("GeoJSON", "Save the listed rows, rounded as on this page, with their geometry", () => this.save("geojson", "application/geo+json", this.geojson())),
      button("SQL", "Copy the SQL of the listed rows", () => this.copy(this.sql())),
      button("PNG", "Save the map as a picture", () => this.png()), this.link,
      button("Embed", "Copy the code that shows this map in another page", () => this.copy(this.embed()))));
    // The choices above the map, such as the measure and the layers, and their initial values.
    this.choices = ["select", ".toggle input"].flatMap((each) => [...explorer.controls.querySelectorAll(each)]);
    this.first = this.chosen;
    explorer.controls.addEventListener("change", () => this.remember());
    explorer.list?.field.addEventListener("input", () => this.remember());
    explorer.map.on("moveend", () => this.remember());
    window.addEventListener("hashchange", () => { if (location.hash.includes("=")) this.restore(); });
  }

  /** The indices of the listed rows. The page of one pair has no list, only the row of that pair. */
  get listed() { return this.explorer.list ? this.explorer.list.rows : [0]; }

  /** The index and the part of each row to save. */
  get saved() { return this.listed.flatMap((index) => (this.rows.parts ?? [undefined]).map((part) => [index, part])); }

  /** Returns the column and the value of a row's hour or percentile; null if it has neither. */
  moment(index) {
    const hour = this.rows.hour?.(index);
    const percentile = /^percentile (\d+)$/.exec(hour ?? "");
    return percentile ? ["percentile", Number(percentile[1])] : hour ? ["hour", hour] : null;
  }

  /** The names of columns, in the order of `values`. */
  get columns() {
    const moment = this.listed.length ? this.moment(this.listed[0]) : null;
    return moment ? [this.rows.columns[0], moment[0], ...this.rows.columns.slice(1)] : this.rows.columns;
  }

  values(index, part) {
    const [moment, [id, ...rest]] = [this.moment(index), this.rows.row(index, part)];
    return moment ? [id, moment[1], ...rest] : [id, ...rest];
  }

  csv() {
    const quoted = (value) => {
      const text = unisolated(value ?? "");
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    const lines = this.saved.map((row) => this.values(...row).map(quoted).join(","));
    return [this.columns.join(","), ...lines].join("\n") + "\n";
  }

  geojson() {
    const { columns } = this;
    const features = this.saved.map((row) => {
      const values = this.values(...row).map((value) => (typeof value === "string" ? unisolated(value) : value ?? null));
      const properties = Object.fromEntries(columns.map((name, column) => [name, values[column]]));
      if (this.rows.geometryIs) properties.geometry_is = this.rows.geometryIs(...row);
      return { type: "Feature", properties, geometry: this.rows.geometry(...row) };
    });
    return JSON.stringify({ type: "FeatureCollection", features });
  }

  sql() {
    const { table, id, where, isByHour } = this.rows;
    const text = (value) => (typeof value === "number" ? value : `'${unisolated(value).replaceAll("'", "''")}'`);
    const date = "coalesce(departure_date, expected_arrival_date)";
    const moment = this.listed.length ? this.moment(this.listed[0]) : null;
    const conditions = where ? [where] : [];
    if (moment && !isByHour && table !== "place") conditions.push(moment[0] === "percentile" ? `percentile = ${moment[1]}` : `departure = (SELECT departure FROM departure WHERE ${date} = ${text(moment[1])})`);
    if (this.rows.isPart || this.listed.length !== this.explorer.list?.total) {
      const isPair = moment && isByHour;
      const keys = this.listed.map((index) => (isPair ? `(${text(this.rows.row(index)[0])}, ${text(this.moment(index)?.[1] ?? "")})` : text(this.rows.row(index)[0])));
      conditions.push(`${isPair ? `(${id}, ${moment[0] === "percentile" ? "percentile" : date})` : id} IN (${isPair ? "VALUES " : ""}${[...new Set(keys)].join(", ")})`);
    }
    return `SELECT * FROM ${table}${conditions.length ? ` WHERE ${conditions.join(" AND ")}` : ""};`;
  }

  /** Returns the HTML that embeds the map in another page, as it is shown. */
  embed() {
    const address = new URL(location.href);
    address.search = "embed";
    const title = document.querySelector(".headline").textContent.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    return `<iframe src="${address.href.replaceAll("&", "&amp;")}" title="${title}" width="900" height="560" style="border:0" loading="lazy"></iframe>`;
  }

  save(ending, type, content, name = this.rows.table) {
    const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
    element("a", { href: address, download: `${name}.${ending}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  copy(text) {
    this.copied = text;
    // The selected text of a field can be copied even where pages may not write to the clipboard.
    const field = element("textarea", { class: "hidden" });
    field.value = text;
    document.body.append(field);
    field.select();
    const isDone = document.execCommand("copy");
    field.remove();
    this.explorer.say(isDone ? "copied" : text);
  }

  /** Saves a picture of the map with its names and scale, the title and headline above it, and the legend below. */
  png() {
    const { frame, key, title, slider, isOfHour } = this.explorer;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [box, line, margin] = [frame.getBoundingClientRect(), 18, 8];
    const context = element("canvas", {}).getContext("2d");
    const [small, large] = ["12px system-ui, sans-serif", "600 18px system-ui, sans-serif"];
    const width = (text) => context.measureText(text).width;
    context.font = large;
    const headline = [""];
    for (const word of document.querySelector(".headline").textContent.split(" ")) {
      const longer = headline.at(-1) ? `${headline.at(-1)} ${word}` : word;
      if (headline.at(-1) && width(longer) > box.width - 2 * margin) headline.push(word);
      else headline[headline.length - 1] = longer;
    }
    const head = 38 + headline.length * 24;
    const caption = slider && isOfHour ? `${title.textContent}, ${slider.getAttribute("aria-valuetext")}` : title.textContent;
    context.font = small;
    // The legend in lines: each entry has the position of its mark.
    let [left, top] = [margin, 0];
    const entries = [{ textContent: caption }, ...key.querySelectorAll("li")].map((item) => {
      const needed = 26 + width(item.textContent);
      if (left > margin && left + needed > box.width) [left, top] = [margin, top + line];
      left += needed;
      return { text: item.textContent, mark: item.querySelector?.("i"), left: left - needed, top };
    });
    const source = "© OpenStreetMap contributors";
    if (left + width(source) + margin > box.width) top += line;
    const height = head + box.height + top + line + margin;
    const { canvas } = context;
    [canvas.width, canvas.height] = [box.width * ratio, height * ratio];
    context.scale(ratio, ratio);
    context.fillStyle = colors.of("--paper");
    context.fillRect(0, 0, box.width, height);
    context.save();
    context.beginPath();
    context.rect(0, head, box.width, box.height);
    context.clip();
    context.fillStyle = colors.of("--land");
    context.fillRect(0, head, box.width, box.height);
    // Tiles and names, in the order in which they cover each other.
    for (const label of frame.querySelectorAll("canvas, .names > span")) {
      const [spot, style] = [label.getBoundingClientRect(), getComputedStyle(label)];
      context.save();
      if (label.matches("canvas")) {
        context.globalAlpha = Number(label.parentElement.parentElement.style.opacity || 1);
        context.drawImage(label, spot.left - box.left, spot.top - box.top + head, spot.width, spot.height);
        context.restore();
        continue;
      }
      context.translate((spot.left + spot.right) / 2 - box.left, (spot.top + spot.bottom) / 2 - box.top + head);
      context.rotate(parseFloat(label.firstElementChild?.style.rotate ?? 0));
      [context.font, context.textAlign, context.textBaseline] = [`${style.fontWeight} ${style.fontSize} ${style.fontFamily}`, "center", "middle"];
      [context.strokeStyle, context.lineWidth, context.lineJoin, context.fillStyle] = [colors.of("--land"), 3, "round", style.color];
      context.strokeText(label.textContent, 0, 0);
      context.fillText(label.textContent, 0, 0);
      context.restore();
    }
    context.restore();
    context.fillStyle = colors.of("--paper");
    const scale = frame.querySelector(".leaflet-control-scale-line");
    const { left: far, bottom, width: wide, height: high } = scale.getBoundingClientRect();
    const [x, y] = [far - box.left, bottom - box.top + head];
    context.fillRect(x, y - high, wide, high);
    [context.fillStyle, context.strokeStyle, context.lineWidth, context.font] = [colors.of("--ink"), colors.of("--ink"), 2, small];
    context.beginPath();
    for (const [dx, dy] of [[0, high], [0, 0], [wide, 0], [wide, high]]) context.lineTo(x + dx, y - dy);
    context.stroke();
    context.fillText(scale.textContent, x + 5, y - 5);
    context.fillText(document.querySelector("h1").textContent, margin, 22, box.width - 2 * margin);
    context.font = large;
    headline.forEach((text, index) => context.fillText(text, margin, 46 + index * 24, box.width - 2 * margin));
    context.font = small;
    for (const { text, mark, left, top } of entries) {
      const bottom = head + box.height + top + line;
      if (mark) {
        const { backgroundColor, borderTopColor } = getComputedStyle(mark);
        const is = (shape) => mark.classList.contains(shape);
        [context.fillStyle, context.strokeStyle, context.lineWidth] = [backgroundColor, borderTopColor, 2];
        context.beginPath();
        context.rect(left + 1, bottom - 9, 8, 8);
        if (is("hatch")) fillNone(context); else if (is("ring")) context.stroke(); else context.fillRect(left, bottom - 10, 10, 10);
        context.fillStyle = colors.of("--ink");
      }
      context.fillText(text, left + (mark ? 14 : 0), bottom);
    }
    context.textAlign = "right";
    context.fillText(source, box.width - margin, head + box.height + top + line);
    canvas.toBlob((picture) => this.save("png", "image/png", picture));
  }

  get chosen() { return this.choices.map((choice) => (choice.type === "checkbox" ? Number(choice.checked) : choice.value)).join(); }

  /** Writes the state of the page into the address: view, hour, choices, search, marked range and selection. */
  remember() {
    const { map, slider, list, range } = this.explorer;
    const { lat, lng } = map.getCenter();
    const parts = [`at=${map.getZoom()}/${lat.toFixed(5)}/${lng.toFixed(5)}`];
    if (slider && Number(slider.value) !== this.explorer.firstHour) parts.push(`hour=${slider.value}`);
    const { minutes } = this.explorer;
    if (minutes && Number(minutes.value) < Number(minutes.max)) parts.push(`minutes=${minutes.value}`);
    const add = (word, value) => { if (value !== null && value !== undefined) parts.push(`${word}=${encodeURIComponent(unisolated(value))}`); };
    add("show", this.chosen === this.first ? null : this.chosen);
    add("find", list?.field.value || null);
    add("range", range?.text);
    if (!this.explorer.detail.hidden) {
      add(this.rows.word, this.rows.picked());
      add("to", this.rows.other?.());
      if (this.rows.isByHour && !slider && this.rows.hasHours) add("hour", this.rows.hour(this.explorer.list.picked));
    }
    history.replaceState(null, "", `#${parts.join("&")}`);
  }

  /** Restores the state in the address. */
  restore() {
    const { map, slider, list, range } = this.explorer;
    // Read first, since the changes below rewrite the address.
    const [hour, minutes, named, other, at, show, find, marked] = ["hour", "minutes", this.rows.word, "to", "at", "show", "find", "range"].map(opened);
    // The page of one pair has no list, and always shows that pair.
    if (list) this.explorer.leave?.();
    if (list) {
      list.field.value = unisolated(find ?? "");
      list.filter();
    }
    const choose = (values) => values.split(",").forEach((value, index) => {
      const choice = this.choices[index];
      if (choice?.type === "checkbox") { if (choice.checked !== (value === "1")) choice.click(); }
      else if (choice && choice.value !== value && [...choice.options].some((option) => option.value === value)) setControl(choice, value);
    });
    // Before the choices of the address, because a range changes which layers are shown.
    if (range?.text) range.text = null;
    choose(this.first);
    if (range && marked) range.text = marked;
    if (show) choose(show);
    const move = (range, value) => {
      if (range && Number(value) <= Number(range.max) && range.value !== String(value)) setControl(range, value);
    };
    move(slider, hour ?? this.explorer.firstHour);
    move(this.explorer.minutes, minutes ?? this.explorer.minutes?.max);
    if (named !== null && list) {
      const rows = Array.from({ length: list.count }, (_, row) => row).filter((row) => String(this.rows.row(row)[0]) === named);
      const index = rows.find((row) => this.rows.hour?.(row) === hour) ?? rows.find((row) => (slider ? list.among(row) : hour === null));
      if (index === undefined) this.explorer.note(`The page has no ${this.rows.word} ${named}.`);
      else {
        list.pick(index);
        if (other !== null) this.rows.pickOther?.(other);
      }
    }
    const [zoom, latitude, longitude] = (at ?? "").split("/").map(Number);
    if (Number.isFinite(longitude)) map.setView([latitude, longitude], zoom, { animate: false });
    this.remember();
  }
}

/** Returns a projected point as a GeoJSON geometry. */
function pointGeometry(x, y) {
  const { lat, lng } = wrapped([x, y]);
  return { type: "Point", coordinates: [Number(lng.toFixed(6)), Number(lat.toFixed(6))] };
}

/** Returns the coordinates of each part's points as in GeoJSON. */
function coordinates(parts) {
  return parts.map((part) => Array.from({ length: part.length / 2 }, (_, i) => pointGeometry(part[i * 2], part[i * 2 + 1]).coordinates));
}

/** Returns whether a point is in an area of rings: an odd number of edges is to the east of it. */
function isInside(parts, x, y) {
  let isInside = false;
  for (const part of parts) {
    for (let i = 0, j = part.length - 2; i < part.length; j = i, i += 2) {
      if (part[i + 1] > y !== part[j + 1] > y && x < ((part[j] - part[i]) * (y - part[i + 1])) / (part[j + 1] - part[i + 1]) + part[i]) isInside = !isInside;
    }
  }
  return isInside;
}

/** Returns projected areas as GeoJSON: outer rings run counterclockwise, and each hole belongs to the smallest outer ring around it. */
function areaGeometry(rings) {
  const all = coordinates(rings).map((ring) => ({ ring, twice: ring.reduce((sum, [x, y], i) => { const [nextX, nextY] = ring[(i + 1) % ring.length]; return sum + x * nextY - nextX * y; }, 0) }));
  const outer = all.filter(({ twice }) => twice > 0).map((part) => ({ ...part, flat: part.ring.flat(), holes: [] }));
  for (const { ring, twice } of all.filter(({ twice }) => twice < 0)) {
    // Rings may touch: most points decide.
    const around = outer.filter((part) => part.twice > -twice && ring.filter(([x, y]) => isInside([part.flat], x, y)).length * 2 > ring.length).sort((a, b) => a.twice - b.twice)[0];
    around?.holes.push(ring);
  }
  return { type: "MultiPolygon", coordinates: outer.map(({ ring, holes }) => [ring, ...holes]) };
}

/** Returns projected lines as a GeoJSON geometry. */
function lineGeometry(parts) {
  const lines = coordinates(parts);
  return lines.length === 1 ? { type: "LineString", coordinates: lines[0] } : { type: "MultiLineString", coordinates: lines };
}
