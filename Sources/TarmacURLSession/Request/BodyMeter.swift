import TarmacCore

/// Checks a body against its declared length. A byte more or less would be read as a part of the next request.
struct BodyMeter {
    /// The declared length. `nil` if the length is unknown.
    let declared: Int64?
    private(set) var sent: Int64 = 0

    init(declared: Int64?) { self.declared = declared }

    /// Notes the number of bytes that were read, or 0 for the end. Throws if the body is too long or too short.
    mutating func note(_ count: Int) throws(TarmacError) {
        sent += Int64(count)
        guard let declared else { return }
        if sent > declared { throw mismatch("more than the \(declared) bytes it declares") }
        if count == 0, sent < declared { throw mismatch("\(sent) of the \(declared) bytes it declares") }
    }

    private func mismatch(_ reason: String) -> TarmacError {
        TarmacError(.invalidParameter, phase: .sending, "the request body has \(reason)", path: "body")
    }
}
