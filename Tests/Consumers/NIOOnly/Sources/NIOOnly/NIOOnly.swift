import Tarmac
import TarmacNIO

@main
struct NIOOnly {
    static func main() async {
        let weather = Service("weather", host: "http://127.0.0.1:8080")
        let client = Client(transport: .asyncHTTPClient, services: [weather])
        print(client.explain(.get("/forecast/{city}", ["city": "Chengdu"], as: String.self)))
        await client.shutdown()
    }
}
