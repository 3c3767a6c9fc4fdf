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
    /// The number of changes of the store by other jars that the table knows of.
    var generation: Int

    init(_ scope: CookieScope, text: String?, limits: CookieLimits, generation: Int = 0) {
        (self.scope, self.text, self.generation) = (scope, text, generation)
        table = CookieTable(limits: limits, isSaved: text != nil)
    }

    /// Whether the store contains the cookies as they are here.
    var isSettled: Bool { !isListed && !isBeingWritten }
}
