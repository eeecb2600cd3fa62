// swift-tools-version: 6.2
import PackageDescription

/// One list for every Swift target, so that no module has a dialect of its own.
let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Without `MemberImportVisibility`: NIO's C module and Glibc both have `stat`, `timespec` and the like, and which of the two the
/// compiler takes for the owner of their members depends on the order in which it sees the files.
let socketSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let cSettings: [CSetting] = [.unsafeFlags(["-Wall", "-Wextra"])]

/// Optimises targets that loop over bytes in debug builds, too, with checks of overflow and `assert`: the codec's tests take a quarter of the CPU time.
let optimisedSwift =
    swiftSettings + [
        .unsafeFlags(["-O", "-wmo", "-num-threads", "2", "-assert-config", "Debug"], .when(configuration: .debug))
    ]
let optimisedC = cSettings + [.unsafeFlags(["-O2"], .when(configuration: .debug))]

let package = Package(
    name: "OneSheet",
    products: [
        .executable(name: "onesheet", targets: ["onesheet"]),
        .executable(name: "poster-bench", targets: ["PosterBench"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", from: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    ],
    targets: [
        // C libraries behind status codes.
        .target(
            name: "CPosterCodecs",
            path: "Sources/Pictures/CPosterCodecs", cSettings: optimisedC,
            linkerSettings: [
                .linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("webp"), .linkedLibrary("avif"),
                .linkedLibrary("lcms2"), .linkedLibrary("z"),
            ]
        ),
        .target(
            name: "CPosterSandbox", path: "Sources/Pictures/CPosterSandbox", cSettings: cSettings,
            linkerSettings: [.linkedLibrary("seccomp")]),
        .target(
            name: "CPosterCurl", path: "Sources/HTTP/CPosterCurl", cSettings: cSettings,
            linkerSettings: [.linkedLibrary("curl")]),
        .target(
            name: "CPosterCompression", path: "Sources/HTTP/CPosterCompression", cSettings: optimisedC,
            linkerSettings: [.linkedLibrary("brotlidec"), .linkedLibrary("brotlienc"), .linkedLibrary("z")]),

        // Pictures.
        .target(
            name: "PosterCodec", dependencies: ["BoundedCache", "CPosterCodecs"], path: "Sources/Pictures/PosterCodec",
            swiftSettings: optimisedSwift),
        .target(
            name: "CodecWorkers", dependencies: ["CPosterSandbox", "Flights", "PosterCodec"],
            path: "Sources/Pictures/CodecWorkers", swiftSettings: swiftSettings),
        .target(name: "BoundedCache", path: "Sources/Base/BoundedCache", swiftSettings: swiftSettings),
        .target(name: "Flights", path: "Sources/Base/Flights", swiftSettings: swiftSettings),
        .systemLibrary(name: "CPosterCrypto", path: "Sources/Base/CPosterCrypto", providers: [.apt(["libssl-dev"])]),
        .target(
            name: "Cryptography", dependencies: ["CPosterCrypto"], path: "Sources/Base/Cryptography",
            swiftSettings: swiftSettings),
        .target(
            name: "PosterPipeline",
            dependencies: [
                "BoundedCache", "CodecWorkers", "Cryptography", "Flights", "HTTPSemantics", "PosterCodec",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            path: "Sources/Pictures/PosterPipeline", swiftSettings: swiftSettings
        ),
        .target(
            name: "RebuildableDatabase",
            dependencies: [
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Base/RebuildableDatabase", swiftSettings: swiftSettings),
        .target(name: "InternetAddress", path: "Sources/Base/InternetAddress", swiftSettings: swiftSettings),
        .target(name: "ProgramResources", path: "Sources/Base/ProgramResources", swiftSettings: swiftSettings),
        .target(
            name: "HTTPFetch",
            dependencies: [
                "BoundedCache", "CPosterCompression", "CPosterCurl", "Flights", "HTTPSemantics", "InternetAddress",
            ],
            path: "Sources/HTTP/HTTPFetch", swiftSettings: swiftSettings),
        .target(
            name: "ObjectStorage",
            dependencies: [
                "Cryptography", "Flights", "HTTPFetch", "HTTPSemantics",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            path: "Sources/HTTP/ObjectStorage", swiftSettings: swiftSettings),
        .systemLibrary(name: "CPosterRedis", path: "Sources/HTTP/CPosterRedis", providers: [.apt(["libhiredis-dev"])]),
        .target(
            name: "RedisClient",
            dependencies: [
                "CPosterRedis", "Cryptography", "Flights",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Sources/HTTP/RedisClient", swiftSettings: swiftSettings),
        .target(
            name: "PosterOrigins",
            dependencies: [
                "BoundedCache", "Flights", "HTTPFetch", "HTTPSemantics", "ObjectStorage", "PosterCodec",
                "PosterPipeline",
                "RebuildableDatabase",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            path: "Sources/Pictures/PosterOrigins", swiftSettings: swiftSettings
        ),

        // Movies.
        .target(name: "MovieDomain", path: "Sources/Movies/MovieDomain", swiftSettings: swiftSettings),
        .target(
            name: "UpstreamClient",
            dependencies: [
                "BoundedCache", "Flights", "HTTPFetch", "HTTPSemantics", "MovieDomain", "RebuildableDatabase",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Sources/Movies/UpstreamClient", swiftSettings: swiftSettings
        ),
        .target(
            name: "MovieSources",
            dependencies: [
                "BoundedCache", "Flights", "MovieDomain", "SearchText", "UpstreamClient",
            ],
            path: "Sources/Movies/MovieSources", swiftSettings: swiftSettings
        ),
        .target(
            name: "MovieLibrary",
            dependencies: [
                "BoundedCache", "Cryptography", "MovieDomain", "RebuildableDatabase",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Movies/MovieLibrary", swiftSettings: swiftSettings
        ),
        .systemLibrary(
            name: "CPosterPostgres", path: "Sources/Movies/CPosterPostgres", providers: [.apt(["libpq-dev"])]),
        .target(
            name: "MovieLibraryPostgres",
            dependencies: [
                "BoundedCache", "CPosterPostgres", "Flights", "MovieDomain", "MovieLibrary", "RebuildableDatabase",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            path: "Sources/Movies/MovieLibraryPostgres", swiftSettings: swiftSettings
        ),
        .target(name: "SearchText", path: "Sources/Movies/SearchText", swiftSettings: optimisedSwift),
        .target(
            name: "EmbeddedCatalogue",
            dependencies: [
                "BoundedCache", "MovieDomain", "MovieLibrary", "ProgramResources", "RebuildableDatabase", "SearchText",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Sources/Movies/EmbeddedCatalogue",
            resources: [
                .copy("Resources"), .copy("../../../bench-data/originals"), .copy("../../../bench-data/scenes"),
            ],
            swiftSettings: swiftSettings
        ),

        // The edges.
        .target(
            name: "HTTPSemantics",
            dependencies: [
                "Cryptography", "InternetAddress",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Sources/Base/HTTPSemantics", swiftSettings: swiftSettings
        ),
        .target(
            name: "OpenAPI",
            dependencies: [
                "HTTPSemantics",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Sources/Base/OpenAPI", swiftSettings: swiftSettings
        ),
        .target(
            name: "PrometheusMetrics",
            dependencies: [
                .product(name: "CoreMetrics", package: "swift-metrics")
            ],
            path: "Sources/Base/PrometheusMetrics", swiftSettings: swiftSettings
        ),
        .target(
            name: "HTTPServer",
            dependencies: [
                "BoundedCache", "CPosterCompression", "Flights", "HTTPSemantics", "InternetAddress", "OpenAPI",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            path: "Sources/HTTP/HTTPServer", swiftSettings: socketSettings
        ),
        .target(
            name: "PosterAPI",
            dependencies: [
                "BoundedCache", "Cryptography", "Flights", "HTTPSemantics", "HTTPServer", "OpenAPI", "PosterCodec",
                "PosterPipeline", "PrometheusMetrics",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "Sources/Pictures/PosterAPI", swiftSettings: swiftSettings
        ),
        .target(
            name: "MovieHTTP",
            dependencies: [
                "Cryptography", "HTTPSemantics", "HTTPServer", "MovieDomain",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Movies/MovieHTTP", swiftSettings: swiftSettings
        ),
        .target(
            name: "MovieAPI",
            dependencies: [
                "Cryptography", "HTTPSemantics", "HTTPServer", "MovieDomain", "MovieHTTP", "OpenAPI",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Sources/Movies/MovieAPI", swiftSettings: swiftSettings
        ),
        // The APIs of other services, for their clients.
        .target(
            name: "MovieCompatibility",
            dependencies: [
                "BoundedCache", "Cryptography", "Flights", "HTTPSemantics", "HTTPServer", "MovieDomain", "MovieHTTP",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Sources/Movies/MovieCompatibility", swiftSettings: swiftSettings
        ),
        .target(
            name: "MovieWeb",
            dependencies: [
                "BoundedCache", "Cryptography", "Flights", "HTTPSemantics", "HTTPServer", "MovieDomain", "MovieHTTP",
                "ProgramResources",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Sources/Movies/MovieWeb", resources: [.copy("Resources")], swiftSettings: swiftSettings
        ),
        // What nodes share through Redis: adapters of other modules' ports.
        .target(
            name: "ClusterState",
            dependencies: [
                "BoundedCache", "Cryptography", "Flights", "HTTPFetch", "HTTPServer", "MovieDomain", "PosterCodec",
                "PosterOrigins", "PosterPipeline", "RebuildableDatabase", "RedisClient", "UpstreamClient",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            path: "Sources/Service/ClusterState", swiftSettings: swiftSettings),
        .target(
            name: "OneSheetConfiguration",
            dependencies: [
                "ClusterState", "CodecWorkers", "Flights", "HTTPFetch", "HTTPSemantics", "HTTPServer",
                "InternetAddress",
                "MovieCompatibility", "MovieDomain", "MovieSources", "ObjectStorage", "PosterAPI", "PosterCodec",
                "PosterOrigins", "PosterPipeline", "RedisClient",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Yams", package: "Yams"),
            ],
            path: "Sources/Service/OneSheetConfiguration", swiftSettings: swiftSettings
        ),
        .target(
            name: "OneSheetServer",
            dependencies: [
                "BoundedCache", "ClusterState", "CodecWorkers", "EmbeddedCatalogue", "Flights", "HTTPFetch",
                "HTTPSemantics",
                "HTTPServer", "MovieAPI", "MovieCompatibility", "MovieDomain", "MovieHTTP", "MovieLibrary",
                "MovieLibraryPostgres", "MovieSources", "MovieWeb", "ObjectStorage", "OneSheetConfiguration", "OpenAPI",
                "PosterAPI", "PosterCodec", "PosterOrigins", "PosterPipeline", "PrometheusMetrics",
                "RebuildableDatabase", "RedisClient", "UpstreamClient",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Service/OneSheetServer", swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "onesheet",
            dependencies: [
                "ClusterState", "CodecWorkers", "Flights", "HTTPFetch", "HTTPSemantics", "HTTPServer", "MovieAPI",
                "MovieDomain",
                "OneSheetConfiguration", "OneSheetServer", "OpenAPI", "PosterAPI", "PosterCodec", "PosterOrigins",
                "PosterPipeline",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Sources/Service/onesheet", swiftSettings: swiftSettings
        ),
        .target(
            name: "CPosterBench", path: "Benchmarks/CPosterBench", cSettings: cSettings,
            linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("webp")]
        ),
        .executableTarget(
            name: "PosterBench",
            dependencies: [
                "BoundedCache", "CPosterBench", "CodecWorkers", "EmbeddedCatalogue", "Flights", "PosterCodec",
                "PosterPipeline",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Benchmarks/PosterBench",
            swiftSettings: swiftSettings
        ),

        // Tests' own tools, and the tests.
        .target(name: "CPosterTesting", path: "Tests/Support/CPosterTesting", cSettings: cSettings),
        .target(
            name: "PosterTesting",
            dependencies: [
                "CPosterTesting", "Flights", "HTTPSemantics", "PosterCodec", "PosterPipeline", "MovieDomain",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/Support/PosterTesting", swiftSettings: swiftSettings
        ),
        .target(
            name: "CCodecTesting", path: "Tests/Support/CCodecTesting", cSettings: cSettings,
            linkerSettings: [.linkedLibrary("avif"), .linkedLibrary("jpeg"), .linkedLibrary("z")]),
        .target(
            name: "CodecTesting", dependencies: ["PosterCodec"], path: "Tests/Support/CodecTesting",
            swiftSettings: swiftSettings),
        .testTarget(
            name: "PosterCodecTests", dependencies: ["CCodecTesting", "CPosterCodecs", "CodecTesting", "PosterCodec"],
            swiftSettings: swiftSettings),
        // A worker with planted faults, for tests alone.
        .executableTarget(
            name: "FaultyCodecWorker", dependencies: ["CCodecTesting", "CodecWorkers"],
            path: "Tests/Support/FaultyCodecWorker",
            swiftSettings: swiftSettings),
        .testTarget(
            name: "CodecWorkersTests",
            dependencies: ["CPosterSandbox", "CodecTesting", "CodecWorkers", "FaultyCodecWorker", "PosterCodec"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "BoundedCacheTests", dependencies: ["BoundedCache", "PosterTesting"], swiftSettings: swiftSettings),
        .testTarget(name: "FlightsTests", dependencies: ["Flights", "PosterTesting"], swiftSettings: swiftSettings),
        .testTarget(
            name: "PosterPipelineTests",
            dependencies: [
                "CodecTesting", "CodecWorkers", "FaultyCodecWorker", "Flights", "HTTPSemantics", "PosterCodec",
                "PosterPipeline", "PosterTesting",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "ProgramResourcesTests", dependencies: ["PosterTesting", "ProgramResources"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "InternetAddressTests", dependencies: ["InternetAddress"], swiftSettings: swiftSettings),
        .testTarget(
            name: "HTTPFetchTests",
            dependencies: [
                "CPosterCurl", "Flights", "HTTPFetch", "InternetAddress", "PosterTesting",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ObjectStorageTests",
            dependencies: [
                "Flights", "HTTPFetch", "HTTPSemantics", "ObjectStorage", "PosterTesting",
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "RedisTesting", dependencies: ["PosterTesting", "RedisClient"], path: "Tests/Support/RedisTesting",
            swiftSettings: swiftSettings),
        .testTarget(
            name: "RedisClientTests",
            dependencies: [
                "PosterTesting", "RedisClient", "RedisTesting",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ClusterStateTests",
            dependencies: [
                "ClusterState", "Flights", "HTTPFetch", "HTTPServer", "InternetAddress", "MovieDomain", "PosterCodec",
                "PosterOrigins", "PosterPipeline", "PosterTesting", "RedisClient", "RedisTesting", "UpstreamClient",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "RebuildableDatabaseTests",
            dependencies: [
                "Flights", "PosterTesting", "RebuildableDatabase",
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "PosterOriginsTests",
            dependencies: [
                "DatabaseTesting", "Flights", "HTTPFetch", "HTTPSemantics", "ObjectStorage", "PosterCodec",
                "PosterOrigins", "PosterPipeline", "PosterTesting", "RebuildableDatabase",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "MovieDomainTests", dependencies: ["Flights", "MovieDomain", "PosterTesting"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "UpstreamClientTests",
            dependencies: [
                "DatabaseTesting", "Flights", "HTTPFetch", "HTTPSemantics", "MovieDomain", "PosterTesting",
                "RebuildableDatabase", "UpstreamClient",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "MovieSourcesTests",
            dependencies: [
                "Flights", "HTTPFetch", "HTTPSemantics", "MovieDomain", "MovieSources", "PosterTesting",
                "UpstreamClient",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "DatabaseTesting", dependencies: [.product(name: "GRDB", package: "GRDB.swift")],
            path: "Tests/Support/DatabaseTesting", swiftSettings: swiftSettings),
        .target(
            name: "LibraryTesting",
            dependencies: ["MovieLibrary", "PosterTesting", .product(name: "GRDB", package: "GRDB.swift")],
            path: "Tests/Support/LibraryTesting", swiftSettings: swiftSettings),
        .testTarget(
            name: "MovieLibraryTests",
            dependencies: [
                "Cryptography", "DatabaseTesting", "Flights", "LibraryTesting", "MovieDomain", "MovieLibrary",
                "PosterTesting",
                "RebuildableDatabase",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "MovieLibraryPostgresTests",
            dependencies: [
                "EmbeddedCatalogue", "Flights", "LibraryTesting", "MovieDomain", "MovieLibrary",
                "MovieLibraryPostgres", "PosterTesting",
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "SearchTextTests", dependencies: ["SearchText"], swiftSettings: swiftSettings),
        .testTarget(
            name: "EmbeddedCatalogueTests",
            dependencies: [
                "Cryptography", "DatabaseTesting", "EmbeddedCatalogue", "LibraryTesting", "MovieDomain", "MovieLibrary",
                "PosterTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Search/queries.tsv"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "CHTTPTesting", path: "Tests/Support/CHTTPTesting", cSettings: cSettings,
            linkerSettings: [.linkedLibrary("brotlidec"), .linkedLibrary("z")]),
        .target(
            name: "HTTPTesting",
            dependencies: [
                "CHTTPTesting", "PosterTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Tests/Support/HTTPTesting", swiftSettings: swiftSettings
        ),
        .target(
            name: "ServiceTesting",
            dependencies: [
                "ClusterState", "CodecWorkers", "EmbeddedCatalogue", "Flights", "HTTPFetch", "HTTPServer", "MovieAPI",
                "MovieCompatibility", "MovieDomain", "MovieHTTP", "MovieLibrary", "MovieLibraryPostgres", "MovieWeb",
                "ObjectStorage", "OneSheetConfiguration", "OneSheetServer", "PosterAPI", "PosterCodec",
                "PosterOrigins", "PosterPipeline", "PosterTesting", "PrometheusMetrics", "RedisClient",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Support/ServiceTesting", swiftSettings: swiftSettings
        ),
        .testTarget(name: "CryptographyTests", dependencies: ["Cryptography"], swiftSettings: swiftSettings),
        .testTarget(
            name: "HTTPSemanticsTests",
            dependencies: [
                "HTTPSemantics", "InternetAddress",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(name: "OpenAPITests", dependencies: ["HTTPSemantics", "OpenAPI"], swiftSettings: swiftSettings),
        .testTarget(
            name: "PrometheusMetricsTests",
            dependencies: [
                "PosterTesting", "PrometheusMetrics",
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: [
                "CodecTesting", "HTTPSemantics", "HTTPServer", "HTTPTesting", "InternetAddress", "OpenAPI",
                "PosterTesting", "PrometheusMetrics",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "PosterAPITests",
            dependencies: [
                "CodecTesting", "CodecWorkers", "FaultyCodecWorker", "Flights", "HTTPFetch", "HTTPSemantics",
                "HTTPServer", "HTTPTesting", "InternetAddress", "PosterAPI", "PosterCodec", "PosterOrigins",
                "PosterPipeline", "PosterTesting", "ServiceTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "MovieAPITests",
            dependencies: [
                "Flights", "HTTPSemantics", "HTTPServer", "HTTPTesting", "MovieAPI", "MovieDomain", "MovieHTTP",
                "OpenAPI",
                "PosterAPI", "PosterPipeline", "PosterTesting", "ServiceTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "MovieCompatibilityTests",
            dependencies: [
                "EmbeddedCatalogue", "Flights", "HTTPFetch", "HTTPSemantics", "HTTPServer", "HTTPTesting",
                "MovieCompatibility", "MovieDomain", "MovieHTTP", "MovieLibrary", "MovieSources", "OneSheetServer",
                "PosterAPI", "PosterTesting", "ServiceTesting", "UpstreamClient",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            exclude: ["TMDB/tmdb-overlay.json"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "MovieWebTests",
            dependencies: [
                "Cryptography", "HTTPSemantics", "HTTPServer", "MovieDomain", "MovieHTTP", "MovieWeb", "PosterAPI",
                "PosterTesting",
                "ServiceTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "PosterBenchTests", dependencies: ["Flights", "PosterBench", "PosterCodec", "PosterTesting"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "OneSheetConfigurationTests",
            dependencies: [
                "ClusterState", "OneSheetConfiguration", "HTTPFetch", "MovieCompatibility", "MovieDomain",
                "ObjectStorage", "PosterAPI", "PosterCodec", "PosterPipeline", "PosterTesting", "RedisClient",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: swiftSettings),
        .testTarget(
            name: "OneSheetServerTests",
            dependencies: [
                "EmbeddedCatalogue", "Flights", "HTTPFetch", "HTTPSemantics", "HTTPServer", "HTTPTesting",
                "InternetAddress",
                "MovieDomain", "MovieLibrary", "MovieWeb", "ObjectStorage", "OneSheetConfiguration", "OneSheetServer",
                "OpenAPI", "PosterAPI",
                "PosterCodec", "PosterOrigins", "PosterPipeline", "PosterTesting", "PrometheusMetrics", "RedisClient",
                "ServiceTesting",
                "UpstreamClient",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "OneSheetTests",
            dependencies: [
                "ClusterState", "CodecTesting", "Flights", "HTTPServer", "onesheet", "OneSheetConfiguration",
                "OneSheetServer",
                "MovieDomain", "PosterCodec", "PosterOrigins", "PosterTesting", "PrometheusMetrics", "ServiceTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings
        ),
    ]
)

// ONESHEET_ONLY=PosterCodecTests,… keeps these targets and what they depend on: builds of a part, as under sanitizers, need
// neither the rest nor its packages.
if let wanted = Context.environment["ONESHEET_ONLY"] {
    var kept: Set<String> = []
    var packages: Set<String> = []
    var open = wanted.split(separator: ",").map(String.init)
    while let name = open.popLast() {
        guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            continue
        }
        for dependency in target.dependencies {
            switch dependency {
            case .byNameItem(let name, _), .targetItem(let name, _): open.append(name)
            case .productItem(_, let package, _, _): packages.insert(package ?? "")
            @unknown default: fatalError("an unknown kind of dependency: \(dependency)")
            }
        }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = []
    package.dependencies.removeAll { dependency in
        guard case .sourceControl(_, let location, _) = dependency.kind else { return false }
        return !packages.contains { location.hasSuffix("/\($0).git") }
    }
}
