import Tarmac
import TarmacCore
import Testing

/// What a request needs beyond RFC 6570: no holes in paths, no dot segments from values (law 10).
@Suite struct URITemplateStrictTests {
    @Test(arguments: ["/users/{id}", "/{+id}", "/a/{x,id}", "https://{id}.example/", "/{id}{?q}"])
    func anUndefinedVariableOfThePathIsAnError(template: String) throws {
        let parsed = try URITemplate(template)
        let error = #expect(throws: TarmacError.self) { try parsed.expand { $0 == "x" ? "1" : nil } }
        #expect(error?.code == .invalidParameter)
        #expect(error?.path == "id")
        #expect(error?.reason.contains("\"id\"") == true && error?.reason.contains(template) == true)
    }

    @Test func anEmptyListIsUndefinedInThePath() throws {
        let template = try URITemplate("/users/{id}")
        #expect(throws: TarmacError.self) { try template.expand { _ in [] } }
    }

    @Test(arguments: [
        ("/a{?x}", "/a"), ("/a{/x*}", "/a"), ("/a{;x}", "/a"), ("/a{#x}", "/a"), ("/a?b=1{&x}", "/a?b=1"), ("/a{.x}", "/a"),
        ("/a?b={x}", "/a?b="), ("/a#{x}", "/a#"),
    ])
    func elsewhereAnUndefinedVariableLeavesNothing(template: String, expected: String) throws {
        #expect(try URITemplate(template).expand { _ in nil }.string == expected)
    }

    @Test(arguments: [
        ("/a/{v}", "."), ("/a/{v}", ".."), ("/a/{v}/b", ".."), ("{v}", ".."), ("{/v}", ".."), ("/a/.{v}", "."), ("/a/{v}.", "."),
        ("/a/.{v}.", ""), ("/a/{v}{v}", "."), ("/a/{+v}", ".."), ("/a/{+v}", "../admin"), ("/a/{+v}", "x/../y"),
        ("/a/{+v}", "x/.."), ("/a/{+v}", "%2e%2e"), ("/a/{+v}", "%2E."), ("/a/{+v}", "x/.%2e/y"), ("/a/{+v}", "..?q"),
        ("/a/{+v}", "./#"), ("/a/{+v}", "..;x=1"), ("/a/{.v}", ""), ("https://h/{v}", ".."), ("https://{v}/a", ".."), ("https://h/a/{+v}b", "../"),
        ("/%2e{v}", "."), ("/a{/v*}", ".."), ("/a/{v};x", ".."), ("/a/{v}?b", ".."),
    ])
    func aDotSegmentFromAValueIsRefused(template: String, value: String) throws {
        let parsed = try URITemplate(template)
        let error = #expect(throws: TarmacError.self, "\(template) \(value)") { try parsed.expand { _ in .string(value) } }
        #expect(error?.code == .invalidParameter)
        #expect(error?.path == "v")
        #expect(error?.reason.contains("\"v\"") == true)
    }

    @Test(arguments: [
        ("/a/{v}", "...", "/a/..."), ("/a/{v}", ".x", "/a/.x"), ("/a/{v}", "../b", "/a/..%2Fb"), ("/a/{v}", "%2e%2e", "/a/%252e%252e"),
        ("/a/../{v}", "x", "/a/../x"), ("/../{v}/.", "x", "/../x/."), ("/a{?v}", "..", "/a?v=.."), ("/a?{+v}", "/../", "/a?/../"),
        ("/a#{+v}", "/../", "/a#/../"), ("/a/{v}.json", "..", "/a/...json"), ("/{+v}", "a/b", "/a/b"), ("{+v}/x", "https://h", "https://h/x"),
        ("/a/..{/v}", "b", "/a/../b"), ("/a{.v}", ".", "/a.."),
    ])
    func whatIsNoDotSegmentFromAValuePasses(template: String, value: String, expected: String) throws {
        #expect(try URITemplate(template).expand { _ in .string(value) }.string == expected)
    }

    @Test func theVariableAtFaultIsNamed() throws {
        let template = try URITemplate("/{a}/{b}/{c}")
        let error = #expect(throws: TarmacError.self) { try template.expand { $0 == "b" ? ".." : "x" } }
        #expect(error?.path == "b")
    }

    @Test func theItemsOfAListAreSegmentsToo() throws {
        let template = try URITemplate("/a{/v*}")
        #expect(throws: TarmacError.self) { try template.expand { _ in ["x", "..", "y"] } }
    }

    @Test func plainExpansionIsAvailable() throws {
        let template = try URITemplate("/a/{x}/{v}")
        #expect(try template.expand(strict: false) { $0 == "v" ? ".." : nil }.string == "/a//..")
    }

    @Test func whatTheClosureThrowsPasses() throws {
        let template = try URITemplate("/{x}")
        let error = #expect(throws: TarmacError.self) {
            try template.expand { (_: String) throws(TarmacError) -> TemplateValue? in throw TarmacError(.invalidParameter) }
        }
        #expect(error?.code == .invalidParameter)
    }
}
