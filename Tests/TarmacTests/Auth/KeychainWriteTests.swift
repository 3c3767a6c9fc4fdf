import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCore
@testable import TarmacHTTP

@Suite struct KeychainWriteTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let statuses: [KeychainStatus]
        let steps: [KeychainWrite.Step]
    }

    static let rows = [
        Row(testDescription: "an item is replaced", statuses: [.success], steps: [.update, .done]),
        Row(testDescription: "a missing item is added", statuses: [.itemNotFound, .success], steps: [.update, .add, .done]),
        Row(
            testDescription: "an item that appears before the add is replaced", statuses: [.itemNotFound, .duplicateItem, .success],
            steps: [.update, .add, .update, .done]),
        Row(
            testDescription: "an item that comes and goes is not tried forever",
            statuses: [.itemNotFound, .duplicateItem, .itemNotFound, .duplicateItem],
            steps: [.update, .add, .update, .add, .failed(.duplicateItem)]),
        Row(
            testDescription: "an update that is refused is not followed by an add", statuses: [.missingEntitlement],
            steps: [.update, .failed(.missingEntitlement)]),
        Row(
            testDescription: "an add that is refused fails", statuses: [.itemNotFound, .interactionNotAllowed],
            steps: [.update, .add, .failed(.interactionNotAllowed)]),
        Row(testDescription: "an update finds no duplicate", statuses: [.duplicateItem], steps: [.update, .failed(.duplicateItem)]),
    ]

    @Test(arguments: rows) func eachStatusHasItsNextStep(row: Row) {
        var write = KeychainWrite()
        var steps = [write.step]
        for status in row.statuses {
            write.note(status)
            steps.append(write.step)
        }
        #expect(steps == row.steps)
    }
}
