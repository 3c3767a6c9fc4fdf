@_spi(TarmacRooms) import TarmacCore

/// A member of a group, ready to run.
struct GroupMember: Sendable {
    let name: String
    /// The type of the work.
    let type: ObjectIdentifier
    let fly: @Sendable (GroupRun) async throws -> WorkResult<any Sendable>

    init<W: Work>(_ work: W, named name: String? = nil) {
        self.name = name ?? work.workName
        type = ObjectIdentifier(W.self)
        fly = { run in
            let result = try await run.result(of: work)
            return WorkResult(result.value, response: result.response)
        }
    }
}

/// The values that all members of one run share.
struct GroupRun: Sendable {
    /// The run of each member.
    let member: WorkRun
    let progress: (@Sendable (GroupProgress) -> Void)?

    /// - Parameters:
    ///   - run: the run of the group, whose settings take precedence over `call`.
    ///   - client: the client that is bound to the group.
    ///   - call: the settings that the group has for each member.
    init(_ run: WorkRun, _ client: Client, call: Options, progress: (@Sendable (GroupProgress) -> Void)?) {
        member = run.member(of: client, run.options.merged(over: call))
        self.progress = progress
    }

    private init(member: WorkRun, progress: (@Sendable (GroupProgress) -> Void)?) { (self.member, self.progress) = (member, progress) }

    /// Returns the run of an added group, whose settings take precedence.
    func added(_ client: Client, call: Options) -> GroupRun {
        GroupRun(member: member.member(of: client, call.merged(over: member.options)), progress: progress)
    }

    func result<W: Work>(of work: W) async throws -> WorkResult<W.Value> { try await work.perform(in: member, progress: nil) }

    /// Whether no further member starts.
    var isCancelled: Bool { member.isCancelled }
}

/// The limits of batches, chains and graphs.
enum GroupLimits {
    /// The maximum number of steps that a chain may run, and of nodes in a graph.
    static let members = 10_000
    /// The maximum nesting of added chains with settings, because every call asks each enclosing group.
    static let depth = 100

    /// Throws if the limit is below one.
    static func check(_ limit: Int?, _ group: TarmacError.Member.Group) throws(TarmacError) {
        guard let limit, limit < 1 else { return }
        throw TarmacError(
            .invalidGroup, "the limit of a \(group) is \(limit)", suggestion: "let at least one fly at a time, or set no limit")
    }
}

extension TarmacError.Member {
    /// Adds this member to an error. An error without a code becomes a `TarmacError`.
    func naming(_ error: any Error) -> any Error {
        if error is CancellationError { return error }
        return (error as? TarmacError ?? TarmacError.foreign(error)).within(self)
    }
}
