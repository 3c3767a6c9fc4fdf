#if Inspector
extension PageScript {
    /// The board: one lane per call, the newest at the top.
    static let board = #"""
        /** The calls by their numbers. `noteCall` and `dropCall` change it. */
        const calls = new Map();
        let shown = [], selected = null, found = null, state = { isLive: true, environments: [] };
        const filter = { text: "", method: "", host: "", outcomes: new Set() };
        const OUTCOMES = ["flying", "ok", "redirect", "client", "server", "cancelled", "cache"];
        let window0 = 0, window1 = 1;
        /** How many calls have each method and each host, for the choices of the filter. */
        const counted = { method: new Map(), host: new Map() };

        function count(kind, value, step) {
          const number = (counted[kind].get(value) ?? 0) + step;
          if (number > 0) counted[kind].set(value, number); else counted[kind].delete(value);
        }
        /** Adds a call or its new state, with what the board asks for in each of its lines. */
        function noteCall(call) {
          const before = calls.get(call.id), isMoved = before?.url !== call.url || before?.method !== call.method;
          call.parts = isMoved ? partsOf(call.url) : before.parts;
          call.outcome = outcomeOf(call);
          call.searched = null;
          if (isMoved) {
            if (before) { count("method", before.method, -1); count("host", before.parts.host, -1); }
            count("method", call.method, 1);
            count("host", call.parts.host, 1);
          }
          calls.set(call.id, call);
        }
        function dropCall(id) {
          const call = calls.get(id);
          if (!call || !calls.delete(id)) return;
          count("method", call.method, -1);
          count("host", call.parts.host, -1);
        }
        function dropCalls() {
          calls.clear();
          for (const kind of ["method", "host"]) counted[kind].clear();
        }

        const ROW = 28;
        const rows = new VirtualList(find("rows"), ROW, makeRow, fillRow);
        rows.afterDraw = () => {
          const name = "call-" + selected, view = find("rows");
          if (selected !== null && document.getElementById(name)) view.setAttribute("aria-activedescendant", name); else view.removeAttribute("aria-activedescendant");
        };
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
          const call = shown[index], cells = row.cells, url = call.parts;
          row.call = call.id;
          row.id = "call-" + call.id;
          row.className = "row item " + call.outcome;
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
          if (filter.host && call.parts.host !== filter.host) return false;
          if (filter.outcomes.size && !filter.outcomes.has(call.outcome)) return false;
          if (!filter.text) return true;
          call.searched ??= [call.method, call.url, call.endpoint, call.service, call.status ?? "", call.code ?? "", ...call.tags].join("\n").toLowerCase();
          return call.searched.includes(filter.text) || (found !== null && found.has(call.id));
        }

        function compute() {
          const top = rows.offset, before = shown;
          shown = [...calls.values()].filter(matches).reverse();
          rows.setCount(shown.length);
          if (top > 0) rows.offset = keptTop(before, top);
          find("count").textContent = shown.length === calls.size ? word("calls", calls.size) : word("some", shown.length, calls.size);
          find("empty").hidden = shown.length > 0;
          find("empty").textContent = word(calls.size ? "nothing" : "empty");
          fillHosts();
        }
        /** The first call in view stays in its place. If it has left the board, the next one that is still there does. */
        function keptTop(before, top) {
          const first = Math.floor(top / ROW), places = new Map(shown.map((call, place) => [call.id, place]));
          for (let place = first; place < before.length; place++) {
            const now = places.get(before[place].id);
            if (now !== undefined) return now * ROW + top - first * ROW;
          }
          return top;
        }
        let waitsToCompute = false;
        function planCompute() {
          if (waitsToCompute) return;
          waitsToCompute = true;
          setTimeout(() => { waitsToCompute = false; compute(); }, 60);
        }

        function fillHosts() {
          fillChoice("method", "allMethods", new Set(counted.method.keys()));
          fillChoice("host", "allHosts", new Set(counted.host.keys()));
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

        let searchTimer = null;
        function search(text) {
          filter.text = text.trim().toLowerCase();
          found = null;
          compute();
          clearTimeout(searchTimer);
          searchTimer = filter.text ? setTimeout(searchServer, 200) : null;
        }
        /** The server finds the text in new calls as well. */
        function searchAgain() { if (filter.text && searchTimer === null) searchTimer = setTimeout(searchServer, 1000); }
        function searchServer() {
          searchTimer = null;
          return attemptTo(async () => {
            const wanted = filter.text, ids = await (await get("/api/search?text=" + encodeURIComponent(wanted))).json();
            if (wanted !== filter.text) return;
            found = new Set(ids);
            compute();
          });
        }

        function select(id, opens) {
          selected = id;
          rows.plan();
          if (opens && id !== null) openDetails(id);
        }
        function moveTo(wanted) {
          if (!shown.length) return;
          const next = Math.max(0, Math.min(shown.length - 1, wanted));
          select(shown[next].id, !find("details").hidden);
          rows.reveal(next);
        }
        function move(step) {
          const place = shown.findIndex((call) => call.id === selected);
          moveTo(place < 0 ? 0 : place + step);
        }

        """#
}
#endif
