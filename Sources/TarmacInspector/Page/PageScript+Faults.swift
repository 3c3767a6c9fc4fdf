#if Inspector
extension PageScript {
    /// The faults of services.
    static let faults = #"""
        const FAULTS = ["", "delay:500", "delay:2000", "delay:10000", "status:429", "status:500", "status:503", "offline"];
        function faultText(fault) {
          const [kind, number] = fault.split(":");
          return kind === "delay" ? word("faultDelay", number) : kind === "status" ? word("faultStatus", number) : word(kind || "noFault");
        }
        function drawFaults() {
          const active = Object.entries(state.faults ?? {}).sort(), button = find("faults-open"), strip = find("faults-now");
          button.hidden = !state.faults;
          button.textContent = word("faults") + (active.length ? " " + active.length : "");
          button.setAttribute("aria-pressed", String(active.length > 0));
          strip.hidden = !active.length;
          strip.textContent = active.length ? word("faultsNow", active.map(([service, fault]) => service + " · " + faultText(fault)).join(", ")) : "";
          if (find("faults").open) drawFaultRows();
        }
        function drawFaultRows() {
          const rows = empty(find("fault-rows")), services = new Set([...calls.values()].map((call) => call.service).concat(Object.keys(state.faults ?? {})));
          services.delete("");
          if (!services.size) add(rows, element("p", "dim", word("noServices")));
          for (const service of [...services].sort()) {
            const choice = element("select"), active = state.faults?.[service] ?? "";
            for (const fault of new Set([...FAULTS, active])) add(choice, element("option", "", faultText(fault))).lastChild.value = fault;
            choice.value = active;
            choice.dataset.service = service;
            choice.addEventListener("change", () => setFault(service, choice.value));
            add(rows, add(element("label", "fault"), element("span", "", service), choice));
          }
        }
        async function setFault(service, fault) {
          await attemptTo(async () => { state = await post("/api/fault", { service, fault }); });
          drawState();
          for (const choice of find("fault-rows").querySelectorAll("select")) if (choice.dataset.service === service) choice.focus();
        }
        find("faults-open").addEventListener("click", () => { find("faults").showModal(); drawFaultRows(); });
        find("faults-close").addEventListener("click", () => find("faults").close());

        """#
}
#endif
