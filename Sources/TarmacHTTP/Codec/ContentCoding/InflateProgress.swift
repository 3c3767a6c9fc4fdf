/// Follows a decoder of the platform through a coded body and interprets its statuses.
///
/// Bytes after the end of the coded body are ignored. An empty body is empty in every coding.
struct InflateProgress {
    /// The report of a decoder after a step.
    enum Status: Equatable {
        case goesOn
        case ended
        case failed

        /// - Parameter number: a `compression_status` of the Compression framework.
        init(number: Int32) {
            switch number {
            case 0: self = .goesOn
            case 1: self = .ended
            default: self = .failed
            }
        }
    }

    let coding: ContentCoding
    private(set) var isAtEnd = false
    private var hasInput = false

    init(_ coding: ContentCoding) { self.coding = coding }

    /// Notes the status of a step.
    ///
    /// - Parameter input: the number of bytes that the step could read.
    /// - Throws: `.undecodableContent` if the body is damaged.
    mutating func note(_ status: Status, input: Int) throws(TarmacError) {
        if status == .failed { throw coding.damaged("it is not valid") }
        hasInput = hasInput || input > 0
        isAtEnd = status == .ended
    }

    /// - Throws: `.undecodableContent` if the coded body is incomplete.
    func finish() throws(TarmacError) {
        if hasInput, !isAtEnd { throw coding.truncated }
    }
}
