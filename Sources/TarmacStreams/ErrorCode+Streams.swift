public import TarmacCore

extension TarmacError.Code {
    /// An event, a line or a text of a stream is larger than ``Options/maximumRecordSize``.
    public static let recordTooLarge = Self("recordTooLarge", .message, .sent, .lasting)
    /// A text of a sequence is incomplete (RFC 7464 §2.4).
    public static let truncatedRecord = Self("truncatedRecord", .message, .sent, .lasting)
    /// The next page was delivered before.
    public static let pageLoop = Self("pageLoop", .message, .sent, .lasting)
    /// There are more pages than the maximum.
    public static let tooManyPages = Self("tooManyPages", .message, .sent, .lasting)
    /// The link to the next page leads to another origin that is not allowed, or it cannot be parsed.
    public static let pageRefused = Self("pageRefused", .redirect, .sent, .lasting)
}
