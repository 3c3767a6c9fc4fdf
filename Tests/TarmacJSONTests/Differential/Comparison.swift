import Foundation

#if canImport(TarmacJSON)
@testable import TarmacJSON
#endif

/// What both coders made of one text or one value.
enum Comparison {
    /// The same value, or the same text.
    case equal
    /// An error from both, of the same kind and at the same path where Foundation names one.
    case bothRefused
    /// A row of the table of differences in Documentation/JSON.md.
    case documented(DocumentedDifference)
    case different(String)

    /// One text, decoded as `plan` says.
    static func decoding(_ plan: TypePlan, _ text: Data, _ strategies: CoderStrategies) -> Comparison {
        var value: PlannedValue?
        return decoding(plan, text, strategies, value: &value)
    }

    /// - Parameter value: what both decoded.
    static func decoding(_ plan: TypePlan, _ text: Data, _ strategies: CoderStrategies, value: inout PlannedValue?) -> Comparison {
        let plans = PlanStack()
        let (mine, theirs) = strategies.decoders(plans)
        let here = Result { try plans.with(plan) { try mine.decode(PlannedValue.self, from: text) } }
        let there = Result { try plans.with(plan) { try theirs.decode(PlannedValue.self, from: text) } }
        switch (here, there) {
        case (.success(let here), .success(let there)):
            value = here
            if here.content == there.content { return .equal }
            if let row = DocumentedDifference.ofValues(plan, text, strategies) { return .documented(row) }
            return .different("\(here.content)\n\(there.content)")
        case (.failure(let here), .failure(let there)): return errors(here, there, isOrdered: plan.isOrdered)
        case (.failure(let error), .success):
            if let row = DocumentedDifference.refusedHere(error, plan, text, strategies) { return .documented(row) }
            return .different("refused here: \(error)")
        case (.success, .failure(let error)):
            if let row = DocumentedDifference.ofValues(plan, text, strategies) { return .documented(row) }
            return .different("refused by Foundation: \(error)")
        }
    }

    /// One value, encoded; and what was written, decoded again here.
    static func encoding(_ value: PlannedValue, _ strategies: CoderStrategies) -> Comparison {
        let (mine, theirs) = strategies.encoders()
        let here = Result { try mine.encode(value) }
        let there = Result { try theirs.encode(value) }
        switch (here, there) {
        case (.success(let here), .success(let there)):
            if here == there || strategies.isPretty && compact(here) == compact(there) { return .equal }
            return .different(String(decoding: here, as: UTF8.self) + "\n" + String(decoding: there, as: UTF8.self))
        case (.failure, .failure): return .bothRefused
        case (.failure(let error), .success): return .different("refused here: \(error)")
        case (.success, .failure(let error)): return .different("refused by Foundation: \(error)")
        }
    }

    /// The same members and values: the layouts of pretty texts differ.
    private static func compact(_ text: Data) -> String? { try? JSON(parsing: text).text([]) }

    private static func errors(_ here: any Error, _ there: any Error, isOrdered: Bool) -> Comparison {
        guard isOrdered, let here = here as? DecodingError, let there = there as? DecodingError else { return .bothRefused }
        let (kind, path) = place(here)
        let (otherKind, otherPath) = place(there)
        // Foundation names no path for numbers that do not fit, and calls them bad JSON.
        if kind == "dataCorrupted" || otherKind == "dataCorrupted" || kind == otherKind && path == otherPath { return .bothRefused }
        // To Foundation a null in a Bool's place is of the wrong type, in that of all others missing.
        if kind == "valueNotFound", otherKind == "typeMismatch", path == otherPath { return .bothRefused }
        return .different("\(here)\n\(there)")
    }

    private static func place(_ error: DecodingError) -> (kind: String, path: [String]) {
        switch error {
        case .typeMismatch(_, let context): ("typeMismatch", context.codingPath.map(\.stringValue))
        case .valueNotFound(_, let context): ("valueNotFound", context.codingPath.map(\.stringValue))
        case .keyNotFound(let key, let context): ("keyNotFound", (context.codingPath + [key]).map(\.stringValue))
        case .dataCorrupted(let context): ("dataCorrupted", context.codingPath.map(\.stringValue))
        @unknown default: ("?", [])
        }
    }
}
