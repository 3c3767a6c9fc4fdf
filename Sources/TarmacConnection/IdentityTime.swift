package import TarmacCore

/// Refuses a client certificate whose time is over or has not come, before a server does.
package enum IdentityTime {
    /// - Parameter validity: the seconds since 1970 in which the certificate is valid, or `nil` if it does not say.
    package static func fault(of validity: ClosedRange<Int64>?, now: Int64) -> TarmacError? {
        guard let validity else { return nil }
        if now > validity.upperBound { return TarmacError(.expiredClientIdentity, "the certificate of clientIdentity has expired") }
        return now < validity.lowerBound ? TarmacError(.expiredClientIdentity, "the certificate of clientIdentity is not valid yet") : nil
    }
}
