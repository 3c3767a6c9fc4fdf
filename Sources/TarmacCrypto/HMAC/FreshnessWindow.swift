#if Crypto
import TarmacCore
import TarmacSigning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rule for how old a signed message may be (pure).
public struct FreshnessWindow: Sendable, Hashable {
    /// The largest age of a message. Default: 5 minutes. A negative one is refused before a request is sent.
    public var maximumAge: Duration
    /// The allowed difference between the two clocks: a message from further in the future is refused, and the largest
    /// age is extended by it. Default: 1 minute. A negative one is refused before a request is sent.
    public var clockSkew: Duration

    public init(maximumAge: Duration = .seconds(300), clockSkew: Duration = .seconds(60)) {
        self.maximumAge = maximumAge
        self.clockSkew = clockSkew
    }

    /// The reason why the window cannot be used, or `nil` if it can.
    private var fault: String? {
        if maximumAge < .zero { return "a maximum age of \(maximumAge) accepts nothing" }
        return clockSkew < .zero ? "a clock skew of \(clockSkew) is less than none" : nil
    }

    /// Throws before a request is sent whose response no verifier could accept.
    ///
    /// - Parameter capacity: the number of responses that the verifier remembers.
    func checkSetting(capacity: Int) throws(TarmacError) {
        guard let fault = fault ?? (capacity < 1 ? "a verifier that remembers \(capacity) responses accepts nothing" : nil) else { return }
        throw TarmacError(.invalidOption, "the verifier of responses cannot be used: \(fault)")
    }

    /// The number of seconds after which a message can be forgotten.
    var wholeSeconds: Int64 { wholeAge + 1 }

    private var wholeAge: Int64 { (maximumAge.clamped + clockSkew.clamped).components.seconds }

    /// - Throws: `.signatureExpired`.
    func check(created: Int64, expires: Int64?, now: Int64) throws(TarmacError) {
        let skew = clockSkew.clamped.components.seconds
        if created > now.addingClamped(skew) { throw .stale("it was signed \(created.subtractingClamped(now)) s in the future") }
        let age = now.subtractingClamped(created)
        if age > wholeAge { throw .stale("it was signed \(age) s ago") }
        if let expires, expires.addingClamped(skew) < now { throw .stale("it expired \(now.subtractingClamped(expires)) s ago") }
    }
}

extension Duration {
    /// The duration limited to a range in which sums cannot overflow; longer ones count as forever.
    fileprivate var clamped: Duration {
        let longest = Duration.seconds(Int64.max / 4)
        return min(max(self, .zero - longest), longest)
    }
}

extension Int64 {
    // The other side chooses these numbers.
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
    fileprivate func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}

extension Date {
    /// The whole seconds since 1970, as signatures state them.
    var unixSeconds: Int64 { Int64(timeIntervalSince1970.rounded(.down)) }
}

extension TarmacError {
    fileprivate static func stale(_ reason: String) -> TarmacError {
        TarmacError(
            .signatureExpired, phase: .receiving, "the signature of the response is out of its time: \(reason)",
            suggestion: "compare the clocks of both sides, or widen the freshness window")
    }

    static func badSignature(_ reason: String, suggestion: String? = nil) -> TarmacError {
        TarmacError(.signatureInvalid, phase: .receiving, "the signature of the response does not hold: \(reason)", suggestion: suggestion)
    }

    static func unsigned(_ reason: String) -> TarmacError {
        TarmacError(.signatureMissing, phase: .receiving, "the response is not signed: \(reason)", suggestion: "have the server sign it")
    }

    static func unknownSigner(_ id: String) -> TarmacError {
        TarmacError(
            .unknownKey, phase: .receiving, "the response was signed with the key \"\(ShownID.text(id))\", which is not among those given",
            suggestion: "add the key to the verifier's")
    }
}
#endif
