import TarmacCore

/// Decides which messages can be encrypted, signed and verified: complete messages of the service's own origins.
struct PayloadPolicy {
    /// The name of the setting, for errors.
    let option: String
    /// Whether the request goes to one of the service's own origins.
    let isOwn: Bool
    /// Whether the call collects its response.
    let isBuffered: Bool
    /// Whether the call has sent a request before. Then a redirect led to this one.
    let isUnderWay: Bool

    /// Refuses a body that is a file or a stream.
    ///
    /// - Throws: `TarmacError(.unsupported)`.
    func checkBody(of request: Request) throws(TarmacError) {
        if request.body.buffered != nil { return }
        throw TarmacError(
            .unsupported, phase: .sending, "the option \(option) needs the body in memory, and this one is a \(request.body)",
            suggestion: "send the body as bytes, or set \(option) = .off for this call")
    }

    /// Refuses a call that streams or downloads its response.
    ///
    /// - Throws: `TarmacError(.unsupported)`.
    func checkDelivery() throws(TarmacError) {
        if isBuffered { return }
        throw TarmacError(
            .unsupported, phase: .sending, "the option \(option) needs the whole response before any of it may be read, and this call streams it",
            suggestion: "send the call instead of streaming or downloading it, or set \(option) = .off for it")
    }

    /// Refuses a foreign origin. It must not receive the plain body, and its response cannot be verified.
    ///
    /// - Throws: `TarmacError(.unsupported)`, or `TarmacError(.redirectRefused)` after a redirect.
    func checkOrigin(of request: Request) throws(TarmacError) {
        if isOwn { return }
        let reason = "the option \(option) applies to the service's own origins, and \(request) goes to another one"
        if isUnderWay { throw TarmacError(.redirectRefused, phase: .redirecting, reason) }
        throw TarmacError(
            .unsupported, phase: .sending, reason, suggestion: "add the host to the service, or set \(option) = .off for this call")
    }
}

extension PayloadPolicy {
    init(_ option: String, _ request: Request, _ context: CallContext) {
        self.init(
            option: option, isOwn: context.scope.owns(request.url.origin), isBuffered: context.delivery.isBuffered,
            isUnderWay: context.attempts > 0)
    }
}

extension TarmacError {
    /// The error with the head of the response. The body is left out, because it was not verified.
    func refusing(_ response: Response) -> TarmacError {
        let hasBody = response.body.collected?.isEmpty != true
        return with(response: ResponseSnapshot(status: response.status, headers: response.headers, body: .empty, isTruncated: hasBody))
    }
}
