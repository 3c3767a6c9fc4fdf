#if Inspector
extension PageScript {
    /// The board: one lane per call, the newest at the top.
    static let board = #"""
        const calls = new Map();
        let shown = [], selected = null, found = null, state = { isLive: true, environments: [] };
        const filter = { text: "", method: "", host: "", outcomes: new Set() };
        const OUTCOMES = ["flying", "ok", "redirect", "client", "server", "cancelled", "cache"];
        let window0 = 0, window1 = 1;

        const rows = new VirtualList(find("rows"), 28, makeRow, fillRow);
        rows.beforeDraw = (first, end) => {
          window0 = Infinity; window1 = -Infinity;
          for (const call of shown.slice(first, end)) {
            window0 = Math.min(window0, call.start);
            window1 = Math.max(window1, call.start + (call.duration ?? Math.max(0, Date.now() - call.start)));
          }
          if (!(window1 > window0)) window1 = window0 + 1;
        };

        function makeRow() {
          const row = element("div", "row");
          row.setAttribute("role", "option");
          row.cells = ["dim", "", "", "", "outcome", "right", "right dim", "right dim", "lane"].map((classes) => add(row, element("span", classes)).lastChild);
          row.addEventListener("click", () => select(row.call, true));
          return row;
        }

        function fillRow(row, index) {
          const call = shown[index], cells = row.cells, url = partsOf(call.url);
          row.call = call.id;
          row.id = "call-" + call.id;
          row.className = "row item " + outcomeOf(call);
          row.setAttribute("aria-selected", String(call.id === selected));
          row.setAttribute("aria-posinset", index + 1);
          row.setAttribute("aria-setsize", shown.length);
          row.title = call.method + " " + call.url;
          const texts = [clock(call.start), call.method, url.host, url.path || call.endpoint, statusText(call) + (call.source && call.source !== "network" ? " ◇" : ""),
            milliseconds(call.duration), byteCount(call.size), call.attempts > 1 || call.marks.length ? String(call.attempts) : ""];
          texts.forEach((text, place) => { if (cells[place].textContent !== text) cells[place].textContent = text; });
          cells[7].title = call.marks.join(", ");
          fillLane(cells[8], call);
        }

        function fillLane(lane, call) {
          const scale = 100 / (window1 - window0), end = call.duration ?? Math.max(0, Date.now() - call.start);
          const bars = [{ start: 0, duration: end }, ...call.bars.map((bar) => ({ start: bar.start, duration: bar.duration ?? Math.max(0, end - bar.start), attempt: true }))];
          while (lane.childNodes.length > bars.length) lane.lastChild.remove();
          while (lane.childNodes.length < bars.length) lane.appendChild(element("i"));
          bars.forEach((bar, place) => {
            const line = lane.childNodes[place];
            line.className = bar.attempt ? "attempt" : "";
            line.style.left = Math.max(0, (call.start - window0 + bar.start) * scale) + "%";
            line.style.width = Math.max(0, bar.duration * scale) + "%";
          });
        }

        function matches(call) {
          if (filter.method && call.method !== filter.method) return false;
          if (filter.host && partsOf(call.url).host !== filter.host) return false;
          if (filter.outcomes.size && !filter.outcomes.has(outcomeOf(call))) return false;
          if (!filter.text) return true;
          const text = [call.method, call.url, call.endpoint, call.service, call.status ?? "", call.code ?? "", ...call.tags].join("\n").toLowerCase();
          return text.includes(filter.text) || (found !== null && found.has(call.id));
        }

        function compute() {
          const top = find("rows").scrollTop, before = shown.length;
          shown = [...calls.values()].filter(matches).reverse();
          // What was in view stays in view while new calls arrive above it.
          if (top > 0 && shown.length > before) find("rows").scrollTop = top + (shown.length - before) * 28;
          rows.setCount(shown.length);
          find("count").textContent = shown.length === calls.size ? word("calls", calls.size) : word("some", shown.length, calls.size);
          find("empty").hidden = shown.length > 0;
          find("empty").textContent = word(calls.size ? "nothing" : "empty");
          fillHosts();
        }
        let waitsToCompute = false;
        function planCompute() {
          if (waitsToCompute) return;
          waitsToCompute = true;
          setTimeout(() => { waitsToCompute = false; compute(); }, 60);
        }

        function fillHosts() {
          fillChoice("method", "allMethods", new Set([...calls.values()].map((call) => call.method)));
          fillChoice("host", "allHosts", new Set([...calls.values()].map((call) => partsOf(call.url).host)));
        }
        function fillChoice(id, all, values) {
          values.delete("");
          if (filter[id]) values.add(filter[id]);
          const names = [...values].sort().slice(0, 500), key = language + "\n" + names.join("\n"), choice = find(id);
          if (choice.key === key) return;
          choice.key = key;
          empty(choice);
          [["", word(all)], ...names.map((name) => [name, name])].forEach(([value, text]) => { add(choice, element("option", "", text)).lastChild.value = value; });
          choice.value = filter[id];
          choice.setAttribute("aria-label", word(id));
        }

        let searchTimer;
        function search(text) {
          filter.text = text.trim().toLowerCase();
          found = null;
          compute();
          clearTimeout(searchTimer);
          if (filter.text) searchTimer = setTimeout(() => attemptTo(async () => {
            const wanted = filter.text, ids = await (await get("/api/search?text=" + encodeURIComponent(wanted))).json();
            if (wanted !== filter.text) return;
            found = new Set(ids);
            compute();
          }), 200);
        }

        function select(id, opens) {
          selected = id;
          find("rows").setAttribute("aria-activedescendant", id === null ? "" : "call-" + id);
          rows.plan();
          if (opens && id !== null) openDetails(id);
        }
        function move(step) {
          if (!shown.length) return;
          const place = shown.findIndex((call) => call.id === selected);
          const next = Math.max(0, Math.min(shown.length - 1, place < 0 ? 0 : place + step));
          select(shown[next].id, !find("details").hidden);
          rows.reveal(next);
        }

        """#
}
#endif
