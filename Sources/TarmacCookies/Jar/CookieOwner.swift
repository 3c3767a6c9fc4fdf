import TarmacCore

/// The cookies of a principal in a jar. Only the state of its jar touches it.
final class CookieOwner {
    let scope: CookieScope
    /// The principal's text in the store. `nil` if its cookies are not saved.
    let text: String?
    let table: CookieTable
    /// The number of the last use.
    var step = 0
    /// Whether the jar lists the owner as one with changes.
    var isListed = false
    /// Whether changes of the owner are being written.
    var isBeingWritten = false

    init(_ scope: CookieScope, text: String?, limits: CookieLimits) {
        (self.scope, self.text) = (scope, text)
        table = CookieTable(limits: limits, isSaved: text != nil)
    }

    /// Whether the store contains the cookies as they are here.
    var isSettled: Bool { !isListed && !isBeingWritten }
}
