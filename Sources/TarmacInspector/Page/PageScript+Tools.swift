#if Inspector
extension PageScript {
    /// Elements, requests to the server, formats. Data becomes text nodes alone.
    static let tools = #"""
        const find = (id) => document.getElementById(id);
        const token = new URLSearchParams(location.search).get("token") ?? "";

        function element(name, classes, text) {
          const made = document.createElement(name);
          if (classes) made.className = classes;
          if (text !== undefined && text !== null) made.textContent = String(text);
          return made;
        }
        function add(parent, ...children) { for (const child of children) if (child) parent.appendChild(child); return parent; }
        function empty(parent) { parent.replaceChildren(); return parent; }

        async function get(path) {
          const response = await fetch(path, { headers: { "X-Tarmac-Token": token }, cache: "no-store" });
          if (!response.ok) throw new Error(await reasonOf(response));
          return response;
        }
        async function post(path, order) {
          const response = await fetch(path, { method: "POST", headers: { "X-Tarmac-Token": token, "Content-Type": "application/json" }, body: JSON.stringify(order) });
          if (!response.ok) throw new Error(await reasonOf(response));
          return response.json();
        }
        async function reasonOf(response) {
          try { return (await response.json()).reason; } catch { return "HTTP " + response.status; }
        }
        async function attemptTo(work) { try { return await work(); } catch (error) { toast(error.message); return undefined; } }

        let toastTimer;
        function toast(text) {
          find("toast").textContent = text;
          clearTimeout(toastTimer);
          toastTimer = setTimeout(() => { find("toast").textContent = ""; }, 5000);
        }

        function milliseconds(value) {
          if (value === null || value === undefined) return "";
          if (value < 1) return value.toFixed(2) + " ms";
          if (value < 1000) return (value < 10 ? value.toFixed(1) : Math.round(value)) + " ms";
          return (value / 1000).toFixed(value < 10000 ? 2 : 1) + " s";
        }
        function byteCount(value) {
          if (value === null || value === undefined) return "";
          if (value < 1024) return value + " B";
          return value < 1048576 ? (value / 1024).toFixed(1) + " KiB" : (value / 1048576).toFixed(1) + " MiB";
        }
        function clock(value) {
          const date = new Date(value), two = (number) => String(number).padStart(2, "0");
          return two(date.getHours()) + ":" + two(date.getMinutes()) + ":" + two(date.getSeconds()) + "." + String(date.getMilliseconds()).padStart(3, "0");
        }
        /** The host and the rest of a URL, which may be no valid one, because secrets in it are masked. */
        function partsOf(url) {
          const match = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/i.exec(url ?? "");
          return match ? { host: match[1], path: match[2] || "/" } : { host: "", path: url ?? "" };
        }
        function outcomeOf(call) {
          if (call.state === "flying") return "flying";
          if (call.state === "cancelled") return "cancelled";
          if (call.status >= 500 || (call.state === "failed" && !(call.status >= 400))) return "server";
          if (call.status >= 400) return "client";
          if (call.source && call.source !== "network") return "cache";
          return call.status >= 300 ? "redirect" : "ok";
        }
        function statusText(call) {
          if (call.state === "flying") return word("flying");
          if (call.state === "cancelled") return word("cancelled");
          return call.status ? String(call.status) : call.code ?? word(call.state);
        }
        async function copy(text) {
          try { await navigator.clipboard.writeText(text); } catch {
            const area = add(document.body, element("textarea")).lastChild;
            area.value = text;
            area.select();
            document.execCommand("copy");
            area.remove();
          }
          toast(word("copied"));
        }

        """#
}
#endif
