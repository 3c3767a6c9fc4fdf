public import TarmacCore

extension TarmacError.Code {
    /// A ``Reformer`` threw an error. The cause is that error.
    public static let reformingFailed = Self("reformingFailed", .decoding, .sent, .lasting)
}
