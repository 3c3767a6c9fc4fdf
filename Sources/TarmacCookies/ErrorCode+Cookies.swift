public import TarmacCore

extension TarmacError.Code {
    /// The file of a cookie jar could not be read or written.
    public static let cookieStoreFailed = Self("cookieStoreFailed", .application, .sent, .lasting)
}
