import HTTPTypes

/// A request that selects among stored responses. Its fields are normalized once for all responses that vary by the same.
struct VariantChoice {
    let request: HTTPFields
    private var latest: (variant: CacheVariant, text: String?)?
    private var preferred: String??
    /// How often the fields were read.
    private(set) var reads = 0

    init(_ request: HTTPFields) { self.request = request }

    mutating func text(of variant: CacheVariant) -> String? {
        if let latest, latest.variant.isOfSameFields(as: variant) { return latest.text }
        reads += 1
        let text = variant.text(of: request)
        latest = (variant, text)
        return text
    }

    /// The request's single most preferred language (RFC 9110 §12.5.4).
    var language: String? {
        mutating get {
            if let preferred { return preferred }
            reads += 1
            let found = VariantPart.preferredLanguage(request)
            preferred = .some(found)
            return found
        }
    }
}
