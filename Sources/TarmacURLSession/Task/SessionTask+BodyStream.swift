import TarmacCore

extension SessionTask {
    /// Returns the stream of the request body when the session asks for it, or `nil` if it must not have one.
    ///
    /// - Parameter make: opens a body and starts the feed that writes it to the stream.
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
