#if Inspector
extension PageScript {
    /// The difference of two calls, line by line.
    static let difference = #"""
        function pretty(body) {
          if (!body) return [];
          if (body.text === null || body.text === undefined) return ["(" + (body.mediaType ?? "") + " " + (body.size ?? "") + ")"];
          try {
            const tree = parseJSON(body.text);
            if (tree !== undefined) return linesOf(tree, new Set()).map((line) => "  ".repeat(line.depth) + (line.key !== undefined ? JSON.stringify(line.key) + ": " : "") + (
              line.isEnd ? (line.isList ? "]" : "}") : line.node ? (line.isList ? "[" : "{") : line.value instanceof Numeral ? line.value.text : JSON.stringify(line.value)));
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
        /** The lines of both, each with " ", "-" or "+": the longest common subsequence, after what is equal at both ends. */
        function compareLines(before, after) {
          let start = 0, end = 0;
          while (start < before.length && start < after.length && before[start] === after[start]) start++;
          while (end < before.length - start && end < after.length - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
          const a = before.slice(start, before.length - end), b = after.slice(start, after.length - end);
          let middle = [];
          if (a.length * b.length > 4e6) middle = a.map((line) => "-" + line).concat(b.map((line) => "+" + line));
          else {
            const width = b.length + 1, longest = new Uint32Array((a.length + 1) * width);
            for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--)
              longest[i * width + j] = a[i] === b[j] ? longest[(i + 1) * width + j + 1] + 1 : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
            let i = 0, j = 0;
            while (i < a.length || j < b.length) {
              if (i < a.length && j < b.length && a[i] === b[j]) { middle.push(" " + a[i]); i++; j++; }
              else if (j >= b.length || (i < a.length && longest[(i + 1) * width + j] >= longest[i * width + j + 1])) middle.push("-" + a[i++]);
              else middle.push("+" + b[j++]);
            }
          }
          const same = (lines) => lines.map((line) => " " + line);
          return same(before.slice(0, start)).concat(middle, same(before.slice(before.length - end)));
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
