// swift-tools-version: 6.2
import PackageDescription

// The programs of Documentation/Start, one for each page. A page shows the regions of its program that `// page: NAME` and
// `// page end` enclose, and what the program prints, which is in output.txt. `scripts/start-pages` writes the pages, and
// `scripts/examples Start` runs the programs. Shop is the server that they call, on a free port of this machine.
let tarmac: [Target.Dependency] = ["Tarmac", "TarmacURLSession"].map { .product(name: $0, package: "tarmac") }
let rooms: [Target.Dependency] = ["TarmacCallLog", "TarmacFormats", "TarmacOutbox", "TarmacStreams", "TarmacXML"].map { .product(name: $0, package: "tarmac") }
let testing = Target.Dependency.product(name: "TarmacTesting", package: "tarmac")
let programs = [
    ("FirstCall", "01-first-call"), ("DescribeAnAPI", "02-describe-an-api"), ("Layers", "03-layers"),
    ("ScreensAndOwners", "04-screens-and-owners"), ("Errors", "05-errors"), ("Login", "06-login"),
    ("CacheAndOffline", "07-cache-and-offline"), ("Files", "08-files"), ("SeeingWhatHappens", "10-seeing-what-happens"),
    ("ShopApp", "ten-minutes/ShopApp"),
]
let package = Package(
    name: "start",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "tarmac", path: "../..")],
    targets: [
        .target(name: "Shop", dependencies: tarmac + [testing], path: "Shop"),
        // The snippets of Documentation/Cookbook.md.
        .target(name: "Cookbook", dependencies: tarmac + rooms + [testing], path: "Cookbook"),
        .testTarget(name: "CookbookTests", dependencies: tarmac + rooms + ["Cookbook", testing], path: "CookbookTests"),
        // The snippets of Documentation/MovingFrom/Alamofire.md and Retrofit.md.
        .target(name: "FromAlamofire", dependencies: tarmac, path: "FromAlamofire"),
        .testTarget(name: "FromAlamofireTests", dependencies: tarmac + ["FromAlamofire", testing], path: "FromAlamofireTests"),
        .target(name: "FromRetrofit", dependencies: tarmac, path: "FromRetrofit"),
        .testTarget(name: "FromRetrofitTests", dependencies: tarmac + ["FromRetrofit", testing], path: "FromRetrofitTests"),
        .target(name: "MyApp", dependencies: tarmac, path: "09-testing/MyApp"),
        .testTarget(name: "MyAppTests", dependencies: tarmac + ["MyApp", testing], path: "09-testing/MyAppTests"),
        .testTarget(name: "ShopAppTests", dependencies: tarmac + ["ShopApp", testing], path: "ten-minutes/ShopAppTests"),
    ]
        + programs.map { name, path in
            .executableTarget(name: name, dependencies: ["Shop"] + tarmac + rooms, path: path, exclude: ["output.txt"])
        },
    swiftLanguageModes: [.v6]
)
