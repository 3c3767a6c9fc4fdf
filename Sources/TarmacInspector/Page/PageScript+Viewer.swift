#if Inspector
extension PageScript {
    /// Texts and JSON of any size, of which only the visible lines are elements.
    static let viewer = #"""
        /** A number as it was written: JavaScript rounds long ones. */
        class Numeral { constructor(text) { this.text = text; } }

        function parseJSON(text) {
          const value = JSON.parse(text, (key, value, context) => typeof value === "number" ? new Numeral(context?.source ?? String(value)) : value);
          return typeof value === "object" && value !== null && !(value instanceof Numeral) ? value : undefined;
        }
        function isTree(value) { return typeof value === "object" && value !== null && !(value instanceof Numeral); }

        /** The lines of a JSON document: { depth, key, open | value | close, node }. Without recursion, because documents may be deep. */
        function linesOf(root, closed) {
          const lines = [], stack = [];
          const visit = (key, value, depth, last) => {
            if (!isTree(value)) { lines.push({ depth, key, value, last }); return; }
            const isList = Array.isArray(value), keys = isList ? value : Object.keys(value), count = keys.length;
            const folds = closed.has(value);
            lines.push({ depth, key, node: value, isList, count, folds, last });
            if (!folds && count) stack.push({ value, keys: isList ? null : keys, next: 0, count, depth, last, isList });
          };
          visit(undefined, root, 0, true);
          while (stack.length) {
            const top = stack[stack.length - 1];
            if (top.next === top.count) { stack.pop(); lines.push({ depth: top.depth, isEnd: true, isList: top.isList, last: top.last }); continue; }
            const place = top.next++, key = top.keys ? top.keys[place] : undefined;
            visit(key, top.keys ? top.value[key] : top.value[place], top.depth + 1, place === top.count - 1);
          }
          return lines;
        }

        const LONGEST = 2000;
        function short(text) { return text.length > LONGEST ? text.slice(0, LONGEST) + word("tooLong", text.length - LONGEST) : text; }

        function showJSON(parent, root) {
          const closed = new Set(), box = add(parent, element("div", "text")).lastChild;
          box.tabIndex = 0;
          let lines = linesOf(root, closed);
          const list = new VirtualList(box, 20, () => element("div"), (line, index) => {
            const data = lines[index];
            empty(line);
            line.append("  ".repeat(Math.min(data.depth, 200)));
            if (data.node && data.count) {
              const fold = add(line, element("span", "fold", data.folds ? "▸ " : "▾ ")).lastChild;
              fold.addEventListener("click", () => {
                if (!closed.delete(data.node)) closed.add(data.node);
                lines = linesOf(root, closed);
                list.setCount(lines.length);
              });
            } else line.append("  ");
            if (data.key !== undefined) add(line, element("span", "k", JSON.stringify(short(data.key)))).append(": ");
            const comma = data.last ? "" : ",";
            if (data.isEnd) line.append((data.isList ? "]" : "}") + comma);
            else if (data.node) {
              line.append(data.isList ? "[" : "{");
              if (data.folds || !data.count) { add(line, element("span", "dim", data.count ? " " + data.count + " " : "")); line.append((data.isList ? "]" : "}") + comma); }
            } else { addValue(line, data.value); line.append(comma); }
          });
          list.setCount(lines.length);
          return box;
        }
        function addValue(line, value) {
          if (value instanceof Numeral) add(line, element("span", "n", value.text));
          else if (typeof value === "string") add(line, element("span", "s", JSON.stringify(short(value))));
          else add(line, element("span", "b", String(value)));
        }

        function showLines(box, lines, classOf) {
          const list = new VirtualList(box, 20, () => element("div"), (line, index) => {
            line.className = "item " + (classOf ? classOf(index) : "");
            line.textContent = short(lines[index]);
          });
          list.setCount(lines.length);
        }

        const IMAGES = /^image\/(png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)$/;
        function showBody(parent, body) {
          add(parent, element("h2", "", word("body")));
          if (!body) { add(parent, element("p", "dim", word("noBody"))); return; }
          const type = (body.mediaType ?? "").split(";")[0].trim().toLowerCase(), size = body.size === null || body.size === undefined ? "" : word("bytes", body.size);
          add(parent, element("p", "dim", [body.mediaType, size].filter(Boolean).join(" · ")));
          if (body.base64 && IMAGES.test(type)) {
            const image = add(parent, element("img")).lastChild;
            image.alt = body.mediaType;
            image.src = "data:" + type + ";base64," + body.base64;
            return;
          }
          if (body.text === null || body.text === undefined) { add(parent, element("p", "dim", word("notKept", [body.mediaType, size].filter(Boolean).join(", ")))); return; }
          if (body.isTruncated) add(parent, element("p", "dim", word("cut")));
          let tree;
          try { tree = parseJSON(body.text); } catch { tree = undefined; }
          if (tree !== undefined) { showJSON(parent, tree); return; }
          const box = add(parent, element("div", "text")).lastChild;
          box.tabIndex = 0;
          showLines(box, body.text.split(/\r?\n/));
        }

        """#
}
#endif
