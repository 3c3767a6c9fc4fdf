extension TarmacError.Code {
    /// An event, a line or a text of a stream is larger than ``Options/maximumRecordSize``.
    public static let recordTooLarge = Self("recordTooLarge", .message)
    /// A text of a sequence was cut off (RFC 7464 §2.4).
    public static let truncatedRecord = Self("truncatedRecord", .message)
    /// The next page is one that was there before.
    public static let pageLoop = Self("pageLoop", .message)
    /// There are more pages than were asked for at most.
    public static let tooManyPages = Self("tooManyPages", .message)
    /// The next page is at another origin, which must not see what this one may, or its place cannot be understood.
    public static let pageRefused = Self("pageRefused", .redirect)
}
