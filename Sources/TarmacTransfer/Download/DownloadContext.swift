import HTTPTypes
import TarmacCore

/// What every request of a download has in common: the call it belongs to, and what was asked of it.
struct DownloadContext: Sendable {
    let context: CallContext
    /// As it was built, without a Range.
    let request: Request
    let rule: DownloadRule
    let resume: ResumeRule
    let expected: ExpectedDigest
    let digest: FileDigest
    let meter: TransferMeter?
    /// The task was paused, not ended.
    let hold: TransferHold?
    private let send: @Sendable (Request) async throws -> Response

    init(_ context: CallContext, _ request: Request, meter: TransferMeter?, send: @escaping @Sendable (Request) async throws -> Response) {
        self.context = context
        self.request = request
        self.meter = meter
        self.send = send
        rule = context.option(DownloadOption.self)
        resume = context.option(ResumeOption.self)
        expected = context.option(ExpectedDigestOption.self)
        digest = FileDigest(digesters: context.option(DigestersOption.self))
        hold = context.option(TransferHoldOption.self)
    }

    /// Range is defined for GET alone (RFC 9110 §14.2), and a caller's own Range is his business.
    var isResumable: Bool { !resume.isNever && request.method == .get && request.body.isNone && !request.headers.contains(.range) }

    var ledger: TransferLedger {
        let own = context.option(TransferLedgerOption.self)
        return own.store == nil ? hold?.ledger ?? .off : own
    }

    /// What keeps the bytes of a paused download that no ledger keeps.
    var keepingHold: TransferHold? { context.option(TransferLedgerOption.self).store == nil ? hold : nil }

    var keepsAfterFailure: Bool { context.option(TransferLedgerOption.self).store != nil || hold?.isPausing == true }

    /// Whether the transport goes on without this process.
    var outlivesProcess: Bool { context.runtime.transport.capabilities.contains(.outlivesProcess) }

    /// A 416 is an answer to a Range, not a failure.
    func answer(to ask: RangePolicy.Ask, of entity: RangeEntity?, as key: String) async throws -> Response {
        var request = request.of(transfer: key)
        for field in ask.fields(entity?.validator) { request.headers[field.name] = field.value }
        request.expects = ask == .whole ? [] : .part
        do { return try await send(request) } catch let error as TarmacError {
            guard ask != .whole, error.code == .unacceptableStatus, error.status?.code == 416, let head = error.response else { throw error }
            return Response(status: head.status, headers: head.headers, url: request.url)
        }
    }

    /// Of an answer that the caller may accept, but which brings nothing of what was asked for.
    static func refusal(of response: Response) -> TarmacError {
        TarmacError(.unacceptableStatus, phase: .judging, "the server answered \(response.status.code) to a Range").with(response: response.snapshot)
    }

    /// Throws when the call has been cancelled, or has no time left.
    func checkEnd() throws {
        try Task.checkCancellation()
        try context.checkCancellation()
        try context.checkDeadline(.connecting)
    }

    func checkSpace(for needed: Int64?, beside path: String) throws(TarmacError) {
        guard let needed, let free = freeSpace(beside: path), needed > free else { return }
        throw TarmacError(
            .insufficientSpace, phase: .receiving, "\"\(path)\" needs \(needed) bytes more, and \(free) are free", suggestion: "free some space and try again")
    }

    /// `nil` when nobody wants to know, or the system does not tell.
    func freeSpace(beside path: String) -> Int64? {
        rule.checksFreeSpace ? rule.availableSpace.bytes(in: FilePlace.folder(of: path)) : nil
    }
}
