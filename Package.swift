// swift-tools-version: 6.2
import PackageDescription

/// Upcoming features of Swift in all targets.
let features = ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"]
/// Exceptions. NIO's C module and Glibc both declare `stat` and `timespec`, and the compiler takes either for the owner of their
/// members, by the order of the files.
let omittedFeatures = ["HTTPServer": ["MemberImportVisibility"]]

/// Targets with loops over bytes, optimised in debug builds, too, with checks of overflow and `assert`: the codec's tests take a
/// quarter of the CPU time.
let optimised: Set = [
    "CodecTesting", "CPosterCodecs", "CPosterCompression", "CPosterFonts", "PosterCodec", "SearchText",
]
let optimisedSwift = ["-O", "-assert-config", "Debug"]

/// `ONESHEET_SANITIZED=1` builds these with AddressSanitizer and, for C, UndefinedBehaviorSanitizer; tests are faster without.
let sanitized: Set =
    Context.environment["ONESHEET_SANITIZED"] == nil
    ? [] : ["CCodecTesting", "CPosterCodecs", "CPosterFonts", "PosterCodec"]

/// Packages on GitHub, and the products that targets import.
let packages: [(owner: String, name: String, from: Version, products: String)] = [
    ("apple", "swift-argument-parser", "1.8.2", "ArgumentParser"),
    ("apple", "swift-configuration", "1.4.0", "Configuration"),
    ("apple", "swift-distributed-tracing", "1.7.3", "InMemoryTracing Tracing"),
    ("apple", "swift-http-types", "1.8.0", "HTTPTypes"),
    ("apple", "swift-log", "1.16.2", "Logging"),
    ("apple", "swift-metrics", "2.13.0", "CoreMetrics MetricsTestKit"),
    ("apple", "swift-nio", "2.101.2", "NIOCore NIOEmbedded NIOHTTP1 NIOPosix NIOTLS"),
    ("apple", "swift-nio-extras", "1.35.2", "NIOExtras NIOHTTPTypes NIOHTTPTypesHTTP1 NIOHTTPTypesHTTP2"),
    ("apple", "swift-nio-http2", "1.46.0", "NIOHTTP2"),
    ("apple", "swift-nio-ssl", "2.37.6", "NIOSSL"),
    ("groue", "GRDB.swift", "7.10.0", "GRDB"),
    ("hummingbird-project", "hummingbird", "2.28.1", "Hummingbird HummingbirdCore"),
    ("hummingbird-project", "swift-mustache", "2.1.1", "Mustache"),
    ("jpsim", "Yams", "6.2.2", "Yams"),
    ("swift-server", "swift-service-lifecycle", "2.13.0", "ServiceLifecycle"),
]

/// Swift targets: their folder, and the targets and products that they import.
let swiftTargets = """
    Sources/Base/BoundedCache:
    Sources/Base/Cryptography: CPosterCrypto
    Sources/Base/Flights:
    Sources/Base/HTTPSemantics: Cryptography InternetAddress HTTPTypes
    Sources/Base/InternetAddress:
    Sources/Base/OpenAPI: HTTPSemantics HTTPTypes
    Sources/Base/PageArena: CPosterMemory NIOCore
    Sources/Base/ProgramResources:
    Sources/Base/PrometheusMetrics: CoreMetrics
    Sources/Base/RebuildableDatabase: CoreMetrics GRDB Logging
    Sources/HTTP/HTTPFetch: BoundedCache CPosterCompression CPosterCurl Flights HTTPSemantics InternetAddress
    Sources/HTTP/HTTPServer: BoundedCache CPosterCompression Flights HTTPSemantics InternetAddress OpenAPI \
        PageArena CoreMetrics HTTPTypes Hummingbird HummingbirdCore Logging NIOCore NIOExtras NIOHTTP1 NIOHTTP2 \
        NIOHTTPTypes NIOHTTPTypesHTTP1 NIOHTTPTypesHTTP2 NIOPosix NIOSSL NIOTLS ServiceLifecycle Tracing
    Sources/HTTP/ObjectStorage: Cryptography Flights HTTPFetch HTTPSemantics CoreMetrics Tracing
    Sources/HTTP/RedisClient: CPosterRedis Cryptography Flights CoreMetrics Logging NIOCore NIOPosix NIOSSL
    Sources/Pictures/CodecWorkers: CPosterSandbox Flights PosterCodec
    Sources/Pictures/PosterAPI: BoundedCache Cryptography Flights HTTPSemantics HTTPServer OpenAPI PageArena \
        PosterCodec PosterPipeline PrometheusMetrics CoreMetrics HTTPTypes Hummingbird NIOCore NIOHTTP1
    Sources/Pictures/PosterCodec: BoundedCache CPosterCodecs CPosterFonts
    Sources/Pictures/PosterOrigins: BoundedCache Flights HTTPFetch HTTPSemantics ObjectStorage PosterCodec \
        PosterPipeline RebuildableDatabase CoreMetrics GRDB Logging NIOCore Tracing
    Sources/Pictures/PosterPipeline: BoundedCache CodecWorkers Cryptography Flights HTTPSemantics PageArena \
        PosterCodec CoreMetrics Logging NIOCore NIOPosix Tracing
    Sources/Movies/EmbeddedCatalogue: BoundedCache MovieDomain MovieLibrary ProgramResources RebuildableDatabase \
        SearchText GRDB
    Sources/Movies/MovieAPI: Cryptography HTTPSemantics HTTPServer MovieDomain MovieHTTP OpenAPI HTTPTypes \
        Hummingbird NIOCore
    Sources/Movies/MovieCompatibility: BoundedCache Cryptography Flights HTTPSemantics HTTPServer MovieDomain \
        MovieHTTP ProgramResources HTTPTypes Hummingbird Logging NIOCore
    Sources/Movies/MovieDomain:
    Sources/Movies/MovieHTTP: Cryptography HTTPSemantics HTTPServer MovieDomain HTTPTypes Hummingbird Logging
    Sources/Movies/MovieLibrary: BoundedCache Cryptography MovieDomain RebuildableDatabase GRDB Logging
    Sources/Movies/MovieLibraryPostgres: BoundedCache CPosterPostgres Flights MovieDomain MovieLibrary \
        RebuildableDatabase CoreMetrics Logging Tracing
    Sources/Movies/MovieSources: BoundedCache Flights MovieDomain SearchText UpstreamClient
    Sources/Movies/MovieWeb: BoundedCache Cryptography Flights HTTPSemantics HTTPServer MovieDomain MovieHTTP \
        ProgramResources HTTPTypes Hummingbird Logging Mustache NIOCore
    Sources/Movies/SearchText:
    Sources/Movies/UpstreamClient: BoundedCache Flights HTTPFetch HTTPSemantics MovieDomain RebuildableDatabase GRDB \
        Logging NIOPosix
    Sources/Service/ClusterState: BoundedCache Cryptography Flights HTTPFetch HTTPServer MovieDomain PosterCodec \
        PosterOrigins PosterPipeline RebuildableDatabase RedisClient UpstreamClient CoreMetrics Logging NIOCore Tracing
    Sources/Service/onesheet: ClusterState CodecWorkers Flights HTTPFetch HTTPSemantics HTTPServer MovieAPI \
        MovieDomain OneSheetConfiguration OneSheetServer OpenAPI PosterAPI PosterCodec PosterOrigins PosterPipeline \
        ArgumentParser NIOCore NIOHTTP1 NIOPosix NIOSSL
    Sources/Service/OneSheetConfiguration: ClusterState CodecWorkers Flights HTTPFetch HTTPSemantics HTTPServer \
        InternetAddress MovieCompatibility MovieDomain MovieSources ObjectStorage PosterAPI PosterCodec PosterOrigins \
        PosterPipeline RedisClient ArgumentParser Configuration Logging Yams
    Sources/Service/OneSheetServer: BoundedCache ClusterState CodecWorkers EmbeddedCatalogue Flights HTTPFetch \
        HTTPSemantics HTTPServer MovieAPI MovieCompatibility MovieDomain MovieHTTP MovieLibrary MovieLibraryPostgres \
        MovieSources MovieWeb ObjectStorage OneSheetConfiguration OpenAPI PosterAPI PosterCodec PosterOrigins \
        PosterPipeline PrometheusMetrics RebuildableDatabase RedisClient UpstreamClient CoreMetrics HTTPTypes \
        Hummingbird Logging NIOCore NIOExtras NIOPosix ServiceLifecycle
    Benchmarks/PosterBench: BoundedCache CPosterBench CodecWorkers EmbeddedCatalogue Flights PosterCodec \
        PosterPipeline ArgumentParser Logging
    Tests/Support/CodecTesting: PosterCodec
    Tests/Support/DatabaseTesting: GRDB
    Tests/Support/FaultyCodecWorker: CCodecTesting CodecWorkers
    Tests/Support/HTTPTesting: CHTTPTesting PosterTesting HTTPTypes NIOCore NIOHTTP2 NIOHTTPTypes NIOHTTPTypesHTTP2 \
        NIOPosix NIOSSL
    Tests/Support/LibraryTesting: MovieLibrary PosterTesting GRDB
    Tests/Support/MovieTesting: Flights MovieDomain
    Tests/Support/PictureTesting: Flights HTTPSemantics PosterCodec PosterPipeline PosterTesting NIOCore
    Tests/Support/PipelineSimulation: CodecTesting Flights HTTPSemantics PosterCodec PosterPipeline Logging NIOCore
    Tests/Support/PosterTesting: CPosterTesting Flights Logging NIOCore NIOPosix
    Tests/Support/RedisTesting: PosterTesting RedisClient
    Tests/Support/ServiceTesting: CodecWorkers EmbeddedCatalogue Flights HTTPFetch HTTPServer MovieAPI \
        MovieCompatibility MovieDomain MovieHTTP MovieLibrary MovieTesting MovieWeb OneSheetConfiguration \
        OneSheetServer PosterAPI PosterCodec PosterOrigins PosterPipeline PosterTesting PrometheusMetrics Logging
    Tests/BoundedCacheTests: BoundedCache PosterTesting
    Tests/ClusterStateTests: ClusterState Flights HTTPFetch HTTPServer InternetAddress MovieDomain MovieTesting \
        PictureTesting PosterCodec PosterOrigins PosterPipeline PosterTesting RedisClient RedisTesting UpstreamClient \
        Logging NIOCore NIOPosix
    Tests/CodecWorkersTests: CPosterSandbox CodecTesting CodecWorkers FaultyCodecWorker PosterCodec
    Tests/CryptographyTests: Cryptography
    Tests/EmbeddedCatalogueTests: Cryptography DatabaseTesting EmbeddedCatalogue LibraryTesting MovieDomain \
        MovieLibrary MovieTesting PictureTesting PosterTesting GRDB
    Tests/FlightsTests: Flights PosterTesting
    Tests/HTTPFetchTests: CPosterCurl Flights HTTPFetch InternetAddress PosterTesting NIOCore NIOSSL
    Tests/HTTPSemanticsTests: HTTPSemantics InternetAddress HTTPTypes
    Tests/HTTPServerTests: CodecTesting HTTPSemantics HTTPServer HTTPTesting InternetAddress OpenAPI PageArena \
        PosterTesting PrometheusMetrics CoreMetrics HTTPTypes Hummingbird Logging MetricsTestKit NIOCore NIOEmbedded \
        NIOHTTP1 NIOHTTP2 NIOHTTPTypes NIOPosix NIOSSL NIOTLS ServiceLifecycle
    Tests/InternetAddressTests: InternetAddress
    Tests/MovieAPITests: Flights HTTPSemantics HTTPServer HTTPTesting MovieAPI MovieDomain MovieHTTP MovieTesting \
        OpenAPI PosterAPI PosterPipeline PosterTesting ServiceTesting HTTPTypes
    Tests/MovieCompatibilityTests: EmbeddedCatalogue Flights HTTPFetch HTTPSemantics HTTPServer HTTPTesting \
        MovieCompatibility MovieDomain MovieHTTP MovieLibrary MovieSources MovieTesting OneSheetServer PosterAPI \
        PosterTesting ServiceTesting UpstreamClient Logging NIOCore
    Tests/MovieDomainTests: Flights MovieDomain MovieTesting PosterTesting
    Tests/MovieLibraryPostgresTests: EmbeddedCatalogue Flights LibraryTesting MovieDomain MovieLibrary \
        MovieLibraryPostgres MovieTesting PosterTesting InMemoryTracing Logging Tracing
    Tests/MovieLibraryTests: Cryptography DatabaseTesting Flights LibraryTesting MovieDomain MovieLibrary MovieTesting \
        PosterTesting RebuildableDatabase GRDB Logging
    Tests/MovieSourcesTests: Flights HTTPFetch HTTPSemantics MovieDomain MovieSources MovieTesting PosterTesting \
        UpstreamClient Logging
    Tests/MovieWebTests: Cryptography Flights HTTPSemantics HTTPServer MovieDomain MovieHTTP MovieTesting MovieWeb \
        PosterAPI PosterTesting ServiceTesting HTTPTypes Hummingbird Logging NIOCore NIOEmbedded
    Tests/ObjectStorageTests: Flights HTTPFetch HTTPSemantics ObjectStorage PosterTesting InMemoryTracing Tracing
    Tests/OneSheetConfigurationTests: ClusterState HTTPFetch MovieCompatibility MovieDomain ObjectStorage \
        OneSheetConfiguration PosterAPI PosterCodec PosterPipeline PosterTesting RedisClient ArgumentParser \
        Configuration Logging
    Tests/OneSheetServerTests: EmbeddedCatalogue Flights HTTPFetch HTTPSemantics HTTPServer HTTPTesting \
        InternetAddress MovieCompatibility MovieDomain MovieHTTP MovieLibrary MovieTesting MovieWeb \
        OneSheetConfiguration OneSheetServer OpenAPI PictureTesting PosterAPI PosterCodec PosterOrigins \
        PosterPipeline PosterTesting PrometheusMetrics ServiceTesting UpstreamClient Hummingbird InMemoryTracing Logging NIOCore ServiceLifecycle Tracing
    Tests/OneSheetTests: ClusterState CodecTesting Flights HTTPServer MovieDomain OneSheetConfiguration OneSheetServer \
        PictureTesting PosterCodec PosterOrigins PosterTesting PrometheusMetrics ServiceTesting onesheet \
        ArgumentParser GRDB Logging
    Tests/OpenAPITests: HTTPSemantics OpenAPI
    Tests/PageArenaTests: PageArena NIOCore
    Tests/PosterAPITests: CodecTesting CodecWorkers FaultyCodecWorker Flights HTTPFetch HTTPSemantics HTTPServer \
        HTTPTesting InternetAddress PictureTesting PosterAPI PosterCodec PosterOrigins PosterPipeline PosterTesting \
        ServiceTesting HTTPTypes Logging NIOCore NIOEmbedded NIOHTTP1 NIOPosix NIOSSL
    Tests/PosterBenchTests: Flights PosterBench PosterCodec PosterTesting
    Tests/PosterCodecTests: CCodecTesting CPosterCodecs CPosterFonts CodecTesting PosterCodec
    Tests/PosterOriginsTests: DatabaseTesting Flights HTTPFetch HTTPSemantics ObjectStorage PictureTesting PosterCodec \
        PosterOrigins PosterPipeline PosterTesting RebuildableDatabase GRDB Logging NIOCore
    Tests/PosterPipelineTests: CodecTesting CodecWorkers FaultyCodecWorker Flights HTTPSemantics PageArena \
        PictureTesting PipelineSimulation PosterCodec PosterPipeline PosterTesting Logging NIOCore
    Tests/ProgramResourcesTests: PosterTesting ProgramResources
    Tests/PrometheusMetricsTests: PosterTesting PrometheusMetrics CoreMetrics
    Tests/RebuildableDatabaseTests: Flights PosterTesting RebuildableDatabase GRDB Logging
    Tests/RedisClientTests: PosterTesting RedisClient RedisTesting NIOCore NIOPosix
    Tests/SearchTextTests: SearchText
    Tests/UpstreamClientTests: DatabaseTesting Flights HTTPFetch HTTPSemantics MovieDomain MovieTesting PosterTesting \
        RebuildableDatabase UpstreamClient GRDB Logging
    """

/// Executable targets. Names with the suffix "Tests" are test targets, all others libraries.
let programs: Set = ["FaultyCodecWorker", "PipelineSimulation", "PosterBench", "onesheet"]

/// Targets with a folder `Resources`.
let targetsWithResources: Set = ["EmbeddedCatalogue", "MovieCompatibility", "MovieWeb"]

/// Files in the folders of tests that are no sources.
let excluded = [
    "EmbeddedCatalogueTests": ["Search/queries.tsv"], "MovieCompatibilityTests": ["TMDB/tmdb-overlay.json"],
    "PosterCodecTests": ["Badges/Goldens"],
]

func words(_ text: Substring) -> [String] { text.split(separator: " ").map(String.init) }

let packageOfProduct = Dictionary(
    uniqueKeysWithValues: packages.flatMap { package in words(package.products[...]).map { ($0, package.name) } })

/// The target of a line of ``swiftTargets``.
func swiftTarget(_ line: Substring) -> Target {
    let parts = line.split(separator: ":")
    let path = String(parts[0])
    let name = String(path.split(separator: "/").last!)
    let dependencies: [Target.Dependency] = words(parts.count > 1 ? parts[1] : "").map { name in
        packageOfProduct[name].map { .product(name: name, package: $0) } ?? .byName(name: name)
    }
    let settings: [SwiftSetting] =
        [.swiftLanguageMode(.v6)]
        + features.filter { omittedFeatures[name]?.contains($0) != true }.map { .enableUpcomingFeature($0) }
        + (optimised.contains(name) ? [.unsafeFlags(optimisedSwift, .when(configuration: .debug))] : [])
        + (sanitized.contains(name) ? [.unsafeFlags(["-sanitize=address"])] : [])
    if name.hasSuffix("Tests") {
        return .testTarget(
            name: name, dependencies: dependencies, path: path, exclude: excluded[name] ?? [], swiftSettings: settings)
    } else if programs.contains(name) {
        return .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
    } else {
        return .target(
            name: name, dependencies: dependencies, path: path,
            resources: targetsWithResources.contains(name) ? [.copy("Resources")] : [], swiftSettings: settings)
    }
}

/// C behind status codes, the libraries of Debian that it is linked with, and folders of their headers.
func cTarget(_ path: String, libraries: String, includes: [String] = [], excluded: [String] = []) -> Target {
    let name = String(path.split(separator: "/").last!)
    return .target(
        name: name, path: path, exclude: excluded,
        cSettings: [.unsafeFlags(["-Wall", "-Wextra"] + includes.map { "-I\($0)" })]
            + (optimised.contains(name) ? [.unsafeFlags(["-O2"], .when(configuration: .debug))] : [])
            + (sanitized.contains(name)
                ? [.unsafeFlags(["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"])] : []),
        linkerSettings: words(libraries[...]).map { .linkedLibrary($0) }
            + (sanitized.contains(name) ? [.unsafeFlags(["-sanitize=address"]), .linkedLibrary("ubsan")] : []))
}

/// The headers of a library for Swift, and the Debian package that has them.
func headers(_ path: String, package: String) -> Target {
    .systemLibrary(name: String(path.split(separator: "/").last!), path: path, providers: [.apt([package])])
}

var targets = swiftTargets.split(separator: "\n").map(swiftTarget)
targets += [
    headers("Sources/Base/CPosterCrypto", package: "libssl-dev"),
    cTarget("Sources/Base/CPosterMemory", libraries: ""),
    headers("Sources/HTTP/CPosterRedis", package: "libhiredis-dev"),
    headers("Sources/Movies/CPosterPostgres", package: "libpq-dev"),
    cTarget("Sources/HTTP/CPosterCompression", libraries: "brotlidec brotlienc z"),
    cTarget("Sources/HTTP/CPosterCurl", libraries: "curl"),
    cTarget("Sources/Pictures/CPosterCodecs", libraries: "jpeg png webp avif jxl de265 lcms2 z"),
    cTarget(
        "Sources/Pictures/CPosterFonts", libraries: "freetype harfbuzz",
        includes: ["/usr/include/freetype2", "/usr/include/harfbuzz"], excluded: ["LICENSE-font.txt"]),
    cTarget("Sources/Pictures/CPosterSandbox", libraries: "seccomp"),
    cTarget("Benchmarks/CPosterBench", libraries: "jpeg png webp"),
    cTarget("Tests/Support/CCodecTesting", libraries: "avif jpeg jxl z"),
    cTarget("Tests/Support/CHTTPTesting", libraries: "brotlidec z"),
    cTarget("Tests/Support/CPosterTesting", libraries: ""),
]

// ONESHEET_ONLY=PosterCodecTests,… keeps these targets and their dependencies, for builds of a part, as under sanitizers.
let wanted = Context.environment["ONESHEET_ONLY"]
var keptTargets: Set<String> = []
var keptPackages: Set<String> = []
var open = wanted.map { $0.split(separator: ",").map(String.init) } ?? []
while let name = open.popLast() {
    guard keptTargets.insert(name).inserted else { continue }
    for dependency in targets.first(where: { $0.name == name })?.dependencies ?? [] {
        switch dependency {
        case .productItem(_, let package, _, _): keptPackages.insert(package ?? "")
        case .byNameItem(let name, _), .targetItem(let name, _): open.append(name)
        @unknown default: fatalError("an unknown kind of dependency: \(dependency)")
        }
    }
}
if wanted != nil { targets.removeAll { !keptTargets.contains($0.name) } }

let package = Package(
    name: "OneSheet",
    products: wanted != nil
        ? []
        : [
            .executable(name: "onesheet", targets: ["onesheet"]),
            .executable(name: "poster-bench", targets: ["PosterBench"]),
        ],
    dependencies: packages.filter { wanted == nil || keptPackages.contains($0.name) }.map {
        // No code here uses what these two packages have behind traits. Two traits of a package would also have SwiftPM
        // compile it again, with all targets above it, in about every other build: it passes them in random order.
        .package(
            url: "https://github.com/\($0.owner)/\($0.name).git", from: $0.from,
            traits: ["hummingbird", "swift-configuration"].contains($0.name) ? [] : [.defaults])
    },
    targets: targets
)
