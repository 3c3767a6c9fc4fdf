#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension Date {
    /// Creates a date from seconds since 1970 that a file holds. A date outside of the years 1 to 9999, with which
    /// Foundation cannot calculate, becomes the nearest one in them.
    package init(storedSeconds seconds: Double) {
        // In this order, because the minimum and the maximum of NaN depend on it.
        self.init(timeIntervalSince1970: max(-62_135_596_800, min(253_402_300_799, seconds)))
    }
}
