/// What may be sealed, signed and verified at all (pure): only whole messages, and only the service's own.
struct PayloadPolicy {
    /// The option that asks for it, as it is called in errors.
    let option: String
    /// Whether the request goes to one of the service's own origins.
    let isOwn: Bool
    /// Whether the call collects its response.
    let isBuffered: Bool
    /// Whether a request of the call was sent before: then a redirect led here.
    let isUnderWay: Bool

    /// - Throws: `.unsupported` for a body that is a file or a stream.
    func checkBody(of request: Request) throws(TarmacError) {
        if request.body.buffered != nil { return }
        throw TarmacError(
            .unsupported, phase: .sending, "the option \(option) needs the body in memory, and this one is a \(request.body)",
            suggestion: "send the body as bytes, or set \(option) = .off for this call")
    }

    /// - Throws: `.unsupported` for a call that streams or downloads its response.
    func checkDelivery() throws(TarmacError) {
        if isBuffered { return }
        throw TarmacError(
            .unsupported, phase: .sending, "the option \(option) needs the whole response before any of it may be read, and this call streams it",
            suggestion: "send the call instead of streaming or downloading it, or set \(option) = .off for it")
    }

    /// Fails closed: a stranger is neither told the plain body nor believed without proof.
    ///
    /// - Throws: `.unsupported`, or `.redirectRefused` when a redirect leads to the stranger.
    func checkOrigin(of request: Request) throws(TarmacError) {
        if isOwn { return }
        let reason = "the option \(option) holds for the service's own origins, and \(request) is none of them"
        if isUnderWay { throw TarmacError(.redirectRefused, phase: .redirecting, reason) }
        throw TarmacError(
            .unsupported, phase: .sending, reason, suggestion: "add the host to the service, or set \(option) = .off for this call")
    }
}

extension PayloadPolicy {
    init(_ option: String, _ request: Request, _ context: CallContext) {
        self.init(
            option: option, isOwn: context.runtime.owns(request.url.origin), isBuffered: context.delivery.isBuffered,
            isUnderWay: context.attempts > 0)
    }
}

extension TarmacError {
    /// With the head of the response alone: a body that is not to be believed is not handed on.
    func refusing(_ response: Response) -> TarmacError {
        let hasBody = response.body.collected?.isEmpty != true
        return with(response: ResponseSnapshot(status: response.status, headers: response.headers, body: .empty, isTruncated: hasBody))
    }
}
