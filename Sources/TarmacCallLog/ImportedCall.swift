package import TarmacCore

/// A call of an archive that another program has written. It is masked as a call is, because such programs write secrets as they are.
package struct ImportedCall {
    private let number: UInt64
    private let failure: CallLog.Failure?
    private let isFromCache: Bool
    private let request: TarmacCore.Request
    private var raw: RawCall
    private var response: RawResponse?

    /// - Parameter start: in milliseconds since 1970.
    package init(
        _ request: TarmacCore.Request, number: UInt64, start: Double, lasting duration: Duration, failure: CallLog.Failure?, isFromCache: Bool
    ) {
        (self.request, self.number, self.failure, self.isFromCache) = (request, number, failure, isFromCache)
        raw = RawCall(imported: request, number: number, start: start, end: failure.map { .failed($0, duration) } ?? .landed(duration))
    }

    /// - Parameter size: the size of the body that the archive states, which may be more than it has.
    package mutating func land(_ response: TarmacCore.Response, size: Int64?) {
        var head = RawResponse(response, limit: .max, source: isFromCache ? .cache : .network)
        let count = head.body?.size ?? 0
        if count == 0 { head.body = nil }
        if let size {
            head.body = head.body ?? RawBody(.empty, limit: 0)
            head.body?.size = max(size, count)
        }
        raw.land(head, after: nil)
        self.response = head
    }

    /// The call without its secrets.
    package var entry: CallLog.Entry {
        var raw = raw
        if !isFromCache {
            let attempt = raw.begin(KeptRequest(request), body: raw.body)
            raw.change(attempt) { ($0.response, $0.failure) = (response, failure) }
        }
        return EntryMask(raw, .standard).entry(id: number)
    }
}
