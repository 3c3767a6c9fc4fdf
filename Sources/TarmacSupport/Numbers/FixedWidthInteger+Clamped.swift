extension FixedWidthInteger {
    /// Returns the sum, or the nearest number that the type has. For numbers from a server, a file or a setting.
    package func addingClamped(_ other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }
}
