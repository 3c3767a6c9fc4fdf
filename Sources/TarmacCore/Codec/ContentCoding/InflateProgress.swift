/// Follows a decoder of the platform through a coded body, and decides what its statuses mean (pure).
///
/// Bytes after the end of the coded body are ignored. An empty body is empty in every coding.
struct InflateProgress {
    /// What a decoder reports after a step.
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

    /// Takes the status of a step.
    /// - Parameter input: how many bytes the step could read.
    /// - Throws: `.undecodableContent` when the body is damaged.
    mutating func note(_ status: Status, input: Int) throws(TarmacError) {
        if status == .failed { throw coding.damaged("it is not valid") }
        hasInput = hasInput || input > 0
        isAtEnd = status == .ended
    }

    /// - Throws: `.undecodableContent` when the coded body stops in the middle.
    func finish() throws(TarmacError) {
        if hasInput, !isAtEnd { throw coding.truncated }
    }
}
