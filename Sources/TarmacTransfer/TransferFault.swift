package import TarmacCore

/// A failure that another attempt cannot resolve.
package struct TransferFault: Error {
    package let error: TarmacError
    package init(_ error: TarmacError) { self.error = error }

    static func tooLarge(_ maximum: Int64) -> TransferFault {
        TransferFault(
            TarmacError(
                .bodyTooLarge, phase: .receiving, "the file is larger than the \(maximum) bytes allowed", suggestion: "raise download.maximumSize"))
    }

    /// Whether the bytes written so far may be wrong.
    static func isInDoubt(_ error: any Error) -> Bool {
        guard let code = (error as? TarmacError)?.code else { return false }
        return code == .bodyTooLarge || code == .digestMismatch
    }
}
