extension WorkRun {
    package init(_ engine: Engine, _ options: Options, _ binding: CallBinding, to service: Service? = nil) {
        self.init(host: engine, options, binding, to: service)
    }

    package var engine: Engine {
        guard let engine = host as? Engine else { preconditionFailure("only an engine makes runs, and it makes them of itself") }
        return engine
    }

    /// The client for the calls of the work. They end with the work's owner and group. It does not keep the client alive.
    public var client: Client {
        var binding = binding
        binding.isOwners = false
        return Client(unowned: engine, binding: binding)
    }

    /// Returns the run of a member of a group.
    package func member(of client: Client, _ options: Options) -> WorkRun { WorkRun(client.engine, options, client.binding, to: service) }
}

extension WorkTraits {
    /// Whether a selection by tag or service contains the work.
    func areIn(_ selection: CallSelection, on engine: Engine) -> Bool {
        switch selection {
        case .tag(let tag): tags.contains(tag)
        case .service(let name): service.map { engine.name(of: $0).isExactly(name) } ?? false
        case .all, .owner: false
        }
    }
}
