#if Inspector
extension PageScript {
    /// Elements, requests to the server, formats. Data becomes text nodes alone.
    static let tools = #"""
        const find = (id) => document.getElementById(id);
        const token = new URLSearchParams(location.search).get("token") ?? "";
        // The token leaves the address bar and the history. A reload finds it here.
        try { sessionStorage.setItem("tarmac-token", token); history.replaceState(null, "", "/"); } catch { }

        function element(name, classes, text) {
          const made = document.createElement(name);
          if (classes) made.className = classes;
          if (text !== undefined && text !== null) made.textContent = String(text);
          return made;
        }
        function add(parent, ...children) { for (const child of children) if (child) parent.appendChild(child); return parent; }
        function empty(parent) { parent.replaceChildren(); return parent; }

        async function ask(path, options) {
          let response;
          try { response = await fetch(path, options); } catch { throw new Error(word("lost")); }
          if (!response.ok) throw await failureOf(response);
          return response;
        }
        function get(path) { return ask(path, { headers: { "X-Tarmac-Token": token }, cache: "no-store" }); }
        async function post(path, order) {
          return (await ask(path, { method: "POST", headers: { "X-Tarmac-Token": token, "Content-Type": "application/json" }, body: JSON.stringify(order) })).json();
        }
        function reasonText(answer) {
          const text = language === "zh" ? REASONS[answer.code] : undefined;
          return text ? fill(text, [answer.value ?? ""]) : answer.reason;
        }
        async function failureOf(response) {
          let answer = null;
          try { answer = await response.json(); } catch { }
          return Object.assign(new Error(answer ? reasonText(answer) : "HTTP " + response.status), { status: response.status, code: answer?.code });
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
          if (call.fault) return word("injected", call.status ?? word("offline"));
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
