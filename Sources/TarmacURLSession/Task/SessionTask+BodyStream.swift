import TarmacCore

extension SessionTask {
    /// The stream of the request's body that the session asks for; `nil` when there must be none.
    ///
    /// - Parameter make: opens a body, and starts what feeds it to the stream.
    func bodyStream<Stream>(_ make: (any BodySource, Int64) -> (Stream, any BodyFeed)?) -> Stream? {
        let (answer, body) = streamAnswer()
        switch answer {
        case .first: break
        case .again: exchange.report(.resent)
        case .refused:
            refuseResend()
            return nil
        case .none: return nil
        }
        guard let body, let source = BodySources.open(body), let (stream, feed) = make(source, body.length) else { return nil }
        feeds(feed)
        return stream
    }
}
