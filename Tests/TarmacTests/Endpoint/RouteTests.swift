import HTTPTypes
import Tarmac
import Testing

@Suite struct RouteTests {
    @Test(arguments: [
        (Route.get("/a"), "GET"), (.head("/a"), "HEAD"), (.post("/a"), "POST"), (.put("/a"), "PUT"), (.patch("/a"), "PATCH"),
        (.delete("/a"), "DELETE"), (.options("/a"), "OPTIONS"), (.method("REPORT", "/a"), "REPORT"),
    ])
    func aRouteHasItsMethodAndTemplate(route: Route, method: String) throws {
        #expect(route.method.rawValue == method)
        #expect(try route.template().text == "/a")
        #expect("\(route)" == "\(method) /a")
    }

    @Test func aMalformedTemplateIsAnErrorOfTheCall() {
        let error = #expect(throws: TarmacError.self) { try Route.get("/{").template() }
        #expect(error?.code == .invalidURL)
    }

    @Test(arguments: ["", "GE T", "G\r\nT", "GÉT", "a{b}", "x:"])
    func aMalformedMethodIsAnErrorOfTheCall(method: String) {
        let error = #expect(throws: TarmacError.self) { try Route.method(method, "/").template() }
        #expect(error?.code == .invalidOption)
        #expect(error?.reason.contains { $0.isNewline } == false)
    }
}
