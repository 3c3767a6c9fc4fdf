#if Inspector
extension PageScript {
    /// The faults and the hosts of services.
    static let faults = #"""
        const FAULTS = ["", "delay:500", "delay:2000", "delay:10000", "status:429", "status:500", "status:503", "offline"];
        function faultText(fault) {
          const [kind, number] = fault.split(":");
          return kind === "delay" ? word("faultDelay", number) : kind === "status" ? word("faultStatus", number) : word(kind || "noFault");
        }
        function drawFaults() {
          const faults = Object.entries(state.faults ?? {}).map(([service, fault]) => service + " · " + faultText(fault));
          const answers = (state.answers ?? []).map((answer) => word("answered", answer.endpoint));
          const active = Object.entries(state.hosts?.chosen ?? {}).map(([service, host]) => service + " · " + host).concat(faults, answers).sort();
          const button = find("faults-open"), strip = find("faults-now");
          button.hidden = !state.faults && !state.hosts;
          button.textContent = word("services") + (active.length ? " " + active.length : "");
          button.setAttribute("aria-pressed", String(active.length > 0));
          strip.hidden = !active.length;
          strip.textContent = active.length ? word("faultsNow", active.join(", ")) : "";
          if (find("faults").open) drawFaultRows();
        }
        function drawFaultRows() {
          const rows = empty(find("fault-rows")), services = new Set([...calls.values()].map((call) => call.service).concat(Object.keys(state.faults ?? {}), Object.keys(state.hosts?.chosen ?? {})));
          services.delete("");
          if (!services.size) add(rows, element("p", "dim", word("noServices")));
          for (const service of [...services].sort()) {
            const row = add(rows, add(element("div", "fault"), element("span", "", service))).lastChild;
            if (state.hosts) addChoice(row, "host", service, ["", ...state.hosts.kinds], state.hosts.chosen[service] ?? "", (host) => host || word("usualHost"));
            if (state.faults) addChoice(row, "fault", service, FAULTS, state.faults[service] ?? "", faultText);
          }
          addAnswerRows(rows);
        }
        function addAnswerRows(rows) {
          for (const answer of state.answers ?? []) {
            const row = add(rows, add(element("div", "fault"), element("span", "", word("answered", answer.endpoint)), element("button", "", word("answerWith")))).lastChild;
            row.lastChild.addEventListener("click", () => showAnswer(answer));
          }
        }
        function addChoice(row, kind, service, values, active, textOf) {
          const choice = add(row, element("select")).lastChild;
          for (const value of new Set([...values, active])) add(choice, element("option", "", textOf(value))).lastChild.value = value;
          choice.value = active;
          Object.assign(choice.dataset, { kind, service });
          choice.setAttribute("aria-label", word("service") + " " + service);
          choice.addEventListener("change", async () => {
            const order = kind === "host" ? { service, name: choice.value } : { service, fault: choice.value };
            await attemptTo(async () => { state = await post("/api/" + kind, order); });
            drawState();
            for (const other of find("fault-rows").querySelectorAll("select")) if (other.dataset.kind === kind && other.dataset.service === service) other.focus();
          });
        }
        find("faults-open").addEventListener("click", () => { find("faults").showModal(); drawFaultRows(); });
        find("faults-close").addEventListener("click", () => find("faults").close());

        """#
}
#endif
