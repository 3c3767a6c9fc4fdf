#if Inspector
extension PageScript {
    /// The difference of two calls, line by line.
    static let difference = #"""
        function pretty(body) {
          if (!body) return [];
          if (body.text === null || body.text === undefined) return ["(" + (body.mediaType ?? "") + " " + (body.size ?? "") + ")"];
          try {
            const tree = parseJSON(body.text);
            if (tree !== undefined) return linesOf(tree, new Set(), true).map((line) => "  ".repeat(line.depth) + (line.key !== undefined ? JSON.stringify(line.key) + ": " : "") + (
              line.isEnd ? (line.isList ? "]" : "}") : line.node ? (line.isList ? "[" : "{") : shownValue(line.value)));
          } catch { }
          return body.text.split(/\r?\n/);
        }
        function textOf(entry) {
          const fields = (message) => message.headers.map((field) => field.name.toLowerCase() + ": " + field.value).sort();
          const sent = entry.attempts[entry.attempts.length - 1]?.request ?? entry.request;
          let lines = [];
          // Bodies may have more lines than a function takes arguments.
          if (sent) lines = lines.concat([sent.method + " " + sent.url], fields(sent), [""], pretty(entry.request?.body ?? sent.body), [""]);
          if (entry.response) lines = lines.concat([String(entry.response.status)], fields(entry.response), [""], pretty(entry.response.body));
          if (entry.failure) lines.push(entry.failure.text);
          return lines;
        }
        /** The most lines by which a part of two texts may differ, to be compared exactly. It bounds the time and the memory. */
        const MOST_CHANGES = 1500;
        /** The lines of both, each with " ", "-" or "+". */
        function compareLines(before, after) {
          const numbers = new Map(), number = (line) => { if (!numbers.has(line)) numbers.set(line, numbers.size); return numbers.get(line); };
          const a = Int32Array.from(before, number), b = Int32Array.from(after, number), lines = [];
          // Parts that are not compared yet, the first one at the end.
          const parts = [[0, a.length, 0, b.length]];
          const tell = (part, edits) => {
            let [i, , j] = part;
            for (const edit of edits) lines.push(edit + (edit === "+" ? after[j++] : (edit === " " && j++, before[i++])));
          };
          while (parts.length) {
            let [a0, a1, b0, b1] = parts.pop(), start = 0, end = 0;
            while (a0 + start < a1 && b0 + start < b1 && a[a0 + start] === b[b0 + start]) start++;
            tell([a0, a1, b0, b1], Array(start).fill(" "));
            a0 += start; b0 += start;
            while (a1 - end > a0 && b1 - end > b0 && a[a1 - 1 - end] === b[b1 - 1 - end]) end++;
            if (end) { parts.push([a1 - end, a1, b1 - end, b1]); a1 -= end; b1 -= end; }
            const edits = shortestEdits(a.subarray(a0, a1), b.subarray(b0, b1));
            if (edits) { tell([a0, a1, b0, b1], edits); continue; }
            const anchors = anchorsOf(a, a0, a1, b, b0, b1);
            if (!anchors.length) { tell([a0, a1, b0, b1], [...Array(a1 - a0).fill("-"), ...Array(b1 - b0).fill("+")]); continue; }
            // Between lines that both have once, the parts are smaller.
            let ends = [a1, b1];
            for (const [x, y] of anchors.reverse()) { parts.push([x, ends[0], y, ends[1]]); ends = [x, y]; }
            parts.push([a0, ends[0], b0, ends[1]]);
          }
          return lines;
        }
        /** The shortest edits, after Myers: "An O(ND) difference algorithm and its variations" (1986). `null` if there are too many. */
        function shortestEdits(a, b) {
          const most = Math.min(a.length + b.length, MOST_CHANGES), middle = most + 1, reach = new Int32Array(2 * most + 3), trace = [];
          for (let count = 0; count <= most; count++) {
            trace.push(reach.slice(middle - count, middle + count + 1));
            for (let k = -count; k <= count; k += 2) {
              let x = k === -count || (k !== count && reach[middle + k - 1] < reach[middle + k + 1]) ? reach[middle + k + 1] : reach[middle + k - 1] + 1;
              while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
              reach[middle + k] = x;
              if (x >= a.length && x - k >= b.length) return editsOf(trace, a.length, b.length);
            }
          }
          return null;
        }
        function editsOf(trace, x, y) {
          const edits = [];
          for (let count = trace.length - 1; count > 0; count--) {
            const reach = (k) => trace[count][k + count] ?? 0, k = x - y;
            const from = k === -count || (k !== count && reach(k - 1) < reach(k + 1)) ? k + 1 : k - 1, startX = reach(from), startY = startX - from;
            while (x > startX && y > startY) { edits.push(" "); x--; y--; }
            if (x > startX) { edits.push("-"); x--; } else { edits.push("+"); y--; }
          }
          while (x-- > 0) edits.push(" ");
          return edits.reverse();
        }
        /** The lines that both parts have once, in an order that both have: the longest rising row of their places. */
        function anchorsOf(a, a0, a1, b, b0, b1) {
          const once = (lines, start, end) => {
            const places = new Map();
            for (let place = start; place < end; place++) places.set(lines[place], places.has(lines[place]) ? -1 : place);
            return places;
          };
          const inA = once(a, a0, a1), inB = once(b, b0, b1), pairs = [];
          for (const [line, x] of inA) { const y = inB.get(line) ?? -1; if (x >= 0 && y >= 0) pairs.push([x, y]); }
          const tails = [], last = new Int32Array(pairs.length);
          pairs.forEach(([, y], place) => {
            let low = 0, high = tails.length;
            while (low < high) { const half = (low + high) >> 1; if (pairs[tails[half]][1] < y) low = half + 1; else high = half; }
            last[place] = low ? tails[low - 1] : -1;
            tails[low] = place;
          });
          const anchors = [];
          for (let place = tails.length ? tails[tails.length - 1] : -1; place >= 0; place = last[place]) anchors.push(pairs[place]);
          return anchors.reverse();
        }
        let differenceList = null;
        async function showDifference(first, second) {
          const [a, b] = await Promise.all([first, second].map(async (id) => (await (await get("/api/call?id=" + id)).json()).entry));
          const lines = compareLines(textOf(a), textOf(b)), isSame = lines.every((line) => line[0] === " ");
          find("difference-title").textContent = word("difference", first, second) + (isSame ? " · " + word("same") : "");
          find("difference").showModal();
          differenceList?.end();
          find("difference-lines").scrollTop = 0;
          differenceList = showLines(find("difference-lines"), lines, (index) => lines[index][0] === "+" ? "added" : lines[index][0] === "-" ? "removed" : "");
        }

        """#
}
#endif
