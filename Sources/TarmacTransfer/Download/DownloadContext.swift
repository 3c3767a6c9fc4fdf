import HTTPTypes
import TarmacCore

/// The parts that all requests of a download share: its call and its settings.
struct DownloadContext: Sendable {
    let context: CallContext
    /// The request as it was built, without a Range.
    let request: Request
    let rule: DownloadRule
    let resume: ResumeRule
    let expected: ExpectedDigest
    let digest: FileDigest
    let meter: TransferMeter?
    /// The hold, which tells a pause from a cancellation; `nil` for a download without an owner.
    let hold: TransferHold?
    private let send: @Sendable (Request) async throws -> Response

    init(_ context: CallContext, _ request: Request, meter: TransferMeter?, send: @escaping @Sendable (Request) async throws -> Response) {
        self.context = context
        self.request = request
        self.meter = meter
        self.send = send
        rule = context.option(Settings.download)
        resume = context.option(Settings.resume)
        expected = context.option(Settings.expectedDigest)
        digest = FileDigest(digesters: context.option(Settings.digesters))
        hold = context.option(Settings.transferHold)
    }

    /// Whether the download can resume: Range is defined for GET only (RFC 9110 §14.2), and a Range of the caller stays.
    var isResumable: Bool { !resume.isNever && request.method == .get && request.body.isNone && !request.headers.contains(.range) }

    var ledger: TransferLedger {
        let own = context.option(Settings.transferLedger)
        return own.store == nil ? hold?.ledger ?? .off : own
    }

    /// The hold that keeps the bytes of a paused download without a ledger.
    var keepingHold: TransferHold? { context.option(Settings.transferLedger).store == nil ? hold : nil }

    var keepsAfterFailure: Bool { context.option(Settings.transferLedger).store != nil || hold?.isPausing == true }

    /// Whether the transport continues after the end of the process.
    var outlivesProcess: Bool { context.capabilities.contains(.outlivesProcess) }

    /// Sends a request. A 416 is an answer to a Range, and not an error.
    ///
    /// - Parameter lane: the number of a range that comes beside others.
    func answer(to ask: RangePolicy.Ask, of entity: RangeEntity?, as key: String, in lane: Int64 = 0) async throws -> Response {
        var request = request.of(transfer: key, within: context.scope.owns)
        request.lane = lane
        for field in ask.fields(entity?.validator) { request.headers[field.name] = field.value }
        if ask != .whole { request.expect(.part) }
        do { return try await send(request) } catch let error as TarmacError {
            guard ask != .whole, error.code == .unacceptableStatus, error.status?.code == 416, let head = error.response else { throw error }
            return Response(status: head.status, headers: head.headers, url: request.url)
        }
    }

    /// Returns the error for a response that the caller accepts, but which does not contain the requested range.
    static func refusal(of response: Response) -> TarmacError {
        TarmacError(.unacceptableStatus, phase: .judging, "the server answered \(response.status.code) to a Range").with(response: response.snapshot)
    }

    /// The error of a server that sends a file in countless small parts.
    static var shreds: TarmacError { TarmacError(.malformedResponse, phase: .receiving, "the server sends the file in parts of a few bytes") }

    /// Throws if the call has been cancelled or has no time left.
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

    /// Returns the free space; `nil` if it is not to be checked, or if the system does not report it.
    func freeSpace(beside path: String) -> Int64? {
        rule.checksFreeSpace ? rule.availableSpace.bytes(in: FilePlace.folder(of: path)) : nil
    }
}
