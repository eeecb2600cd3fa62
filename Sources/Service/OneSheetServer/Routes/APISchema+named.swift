import HTTPSemantics
import MovieAPI
import OpenAPI
import PosterAPI
import PosterCodec
import PosterPipeline

extension APISchema {
    static let named: [String: APISchema] = [
        Self.service, Self.films, Self.filmParts, Self.people, Self.sections, Self.posterCandidates, Self.accounts,
        Self.store,
    ]
    .reduce(into: [:]) { $0.merge($1) { first, _ in first } }

    private static let service: [String: APISchema] = [
        "Problem": .problem, "PictureInfo": .pictureInfo, "PosterSrcset": .posterSrcset, "WarmOrder": .warmOrder,
        "PurgeOrder": .purgeOrder, "PurgeResult": .purgeResult, "PurgeResults": .purgeResults, "Health": .health,
        "Readiness": .readiness,
    ]

    private static let problem = APISchema.object(
        [
            "type": .choice(Problem.Kind.allCases.map(\.type)).meaning("Documented in docs/problems.md."),
            "title": .string().meaning("The kind of problem in a few words."),
            "status": .integer(400...599).meaning("The status code of the response."),
            "detail": .string().meaning("The error in this request, and the accepted values."),
            "requestId": .string().meaning("As in X-Request-Id and in the logs."),
            "earliest": .date.meaning("The first accepted day; only for box offices."),
            "latest": .date.meaning("The last accepted day; only for box offices."),
        ], required: ["type", "title", "status", "detail"])

    private static let pictureInfo = APISchema.object(
        Self.pictureInfoMembers.merging([
            "digest": .string(pattern: "^[0-9a-f]{64}$").meaning("SHA-256 of the file; v is its prefix."),
            "prefixCodeGroups": .integer(0...65536).meaning("Only for a lossless WebP, or a WebP's alpha."),
        ]) { first, _ in first }, required: Array(Self.pictureInfoMembers.keys))

    private static let pictureInfoMembers: [String: APISchema] = [
        "id": .string().meaning("[source:]key; a film of the embedded catalogue has no source."),
        "format": .choice(ImageFormat.decoded.map(\.name)).meaning("By content."),
        "width": .integer(from: 1).meaning("As stored, in pixels."),
        "height": .integer(from: 1).meaning("As stored, in pixels."),
        "uprightWidth": .integer(from: 1).meaning("As shown, in pixels."),
        "uprightHeight": .integer(from: 1).meaning("As shown, in pixels."),
        "orientation": .integer(1...8).meaning("EXIF's; 5 to 8 exchange width and height."),
        "progressive": .boolean.meaning("Interlaced PNGs count as progressive."),
        "lossless": .boolean,
        "subsampling": .string().orNull.meaning("Such as 4:2:0; null without chroma."),
        "colorModel": .choice(["gray", "palette", "rgb", "yCbCr", "cmyk", "ycck"]).meaning("As coded."),
        "bitDepth": .integer(1...16).meaning("Bits a sample."),
        "hasAlpha": .boolean,
        "frames": .integer(from: 1),
        "icc": .boolean.meaning("Whether an ICC profile is embedded."),
        "bytes": .integer(from: 1).meaning("Size of the file."),
        "color": .string(pattern: "^#[0-9a-f]{6}$").meaning("The dominant colour."),
        "thumbhash": .string().meaning("In Base64."),
        "blurhash": .string(),
    ]

    private static let posterSrcset = APISchema.object([
        "id": .string().meaning("[source:]key; a film of the embedded catalogue has no source."),
        "src": .string().meaning("URL for browsers without srcset."),
        "srcset": .string().meaning("URLs and their widths, for the HTML attribute srcset."),
        "sizes": .string().meaning("As wide as the page, but no wider than the poster."),
        "width": .integer(from: 1).meaning("Displayed width of the original, in pixels."),
        "height": .integer(from: 1).meaning("Displayed height of the original, in pixels."),
        "color": .string(pattern: "^#[0-9a-f]{6}$").meaning("The dominant colour."),
        "thumbhash": .string().meaning("In Base64."),
        "blurhash": .string(),
        "placeholder": .string().meaning("The URL of a tiny picture to show first."),
        "version": .string(pattern: "^[0-9a-f]{8,64}$").meaning("The v of these URLs."),
    ])

    private static let purgeOrder = APISchema.object([
        "ids": .array(.posterID, count: 1...1000).meaning("[source:]key, not percent-encoded.")
    ])

    private static let purgeResults = APISchema.object(["results": .array(Self.purgeResult)])

    private static let purgeResult = APISchema.object(
        [
            "id": .string(), "result": .choice(["purged", "unknown", "failed"]),
            "detail": .string().meaning("The cause of a failure, or a note that other nodes are not reached yet."),
        ], required: ["id", "result"])

    private static let warmOrder = APISchema.object(
        [
            "ids": .array(.posterID, count: 1...WarmRequest.idLimit)
                .meaning("[source:]key, not percent-encoded."),
            "widths": .array(.integer(PictureRequest.sides), count: 1...WarmRequest.widthLimit).meaning("In pixels."),
            "formats": .array(.choice(OutputFormat.allCases.map(\.rawValue))).orNull
                .meaning("Default: the formats of `--formats` without AVIF."),
        ], required: ["ids", "widths"])

    private static let health = APISchema.object(
        [
            "status": .choice(["ok", "degraded"])
                .meaning("degraded while a circuit breaker is open or the disk is not writable.")
        ])

    private static let readiness = APISchema.object(
        [
            "status": .choice(["ready", "unready"]),
            "reasons": .array(
                .choice([
                    "shutting-down", "disk-not-writable", "library-not-readable", "library-not-writable",
                    "codec-queue-full", "catching-up", "cut-off",
                ])),
            "warnings": .array(.choice(Readiness.warningNames))
                .meaning("Faulty engines that do not affect readiness."),
            "origins": .array(
                .object(
                    [
                        "name": .string(), "breaker": .choice(["closed", "half-open", "open"]),
                        "retryAfter": .integer().meaning("In seconds."), "underWay": .integer(), "waiting": .integer(),
                    ], required: ["name", "breaker", "underWay", "waiting"])),
            "disk": .object(["isWritable": .boolean]),
            "variantDisk": .object([
                "variants": .integer(), "bytes": .integer(),
                "byteBudget": .integer().meaning("0 when no variants are stored."), "pending": .integer(),
                "failures": .integer(),
            ]).meaning("Variants on disk."),
            "library": .object(
                [
                    "isReadable": .boolean, "isWritable": .boolean,
                    "server": .object(
                        [
                            "breaker": .choice(["closed", "half-open", "open"]),
                            "retryAfter": .integer().meaning(
                                "Seconds until the next probe; absent while the breaker is closed."),
                            "fault": .choice(["unreachable", "slow", "full", "refused"])
                                .meaning("The fault of the latest failed call; absent while reads and writes succeed."),
                            "used": .integer().meaning("Connections in use."),
                            "waiting": .integer().meaning("Calls that wait for a connection."),
                        ], optional: ["fault", "retryAfter"]
                    ).meaning("The server that nodes share; absent without --library."),
                ], optional: ["server"]
            ).meaning("The database of accounts and favourites."),
            "queues": .array(.object(["name": .string(), "running": .integer(), "waiting": .integer()])),
            "reencoding": .object([
                "waiting": .integer(), "running": .integer(),
                "replaced": .integer().meaning("Since the start, like the next counts."),
                "declined": .integer().meaning("Encodings that were not smaller."), "savedBytes": .integer(),
            ]).meaning("Re-encoding of variants; absent with --reencode off."),
            "objectStore": .object(
                [
                    "name": .string().meaning("Bucket and prefix."),
                    "breaker": .choice(["closed", "half-open", "open"]),
                    "retryAfter": .integer().meaning(
                        "Seconds until the next probe; absent while the breaker is closed."),
                    "waiting": .integer().meaning("Uploads and removals that wait on disk."),
                    "waitingBytes": .integer(),
                    "hits": .integer().meaning("Since the start, like the next counts."), "misses": .integer(),
                    "failures": .integer(), "uploaded": .integer(), "removed": .integer(), "damaged": .integer(),
                    "dropped": .integer(),
                ], optional: ["retryAfter"]
            ).meaning(
                "The shared store of originals, which does not affect readiness; absent without --originals."),
            "events": .object(
                [
                    "isCurrent": .boolean.meaning("Whether this node has applied all events of the other nodes."),
                    "phase": .choice(["starting", "catching-up", "current", "cut-off"]),
                    "lagSeconds": .number().meaning("Seconds for which this node may have missed events."),
                    "position": .string()
                        .meaning("Position of the last applied event; absent before the first connection."),
                    "applied": .integer().meaning("Since the start, like the next counts."), "published": .integer(),
                    "pending": .integer().meaning("Events of this node that wait for Redis."),
                    "dropped": .integer().meaning("Events dropped because too many were waiting."),
                    "resyncs": .integer().meaning("Drops of all variants because events were lost."),
                    "holdsRequests": .boolean, "refusesRequests": .boolean,
                ], optional: ["position"]
            ).meaning("Purges, replaced and withdrawn originals of the other nodes; absent without --redis."),
            "redis": .object(
                [
                    "address": .string(), "isConnected": .boolean,
                    "reason": .string().meaning("The cause of a missing connection; absent while connected."),
                    "inFlight": .integer().meaning("Commands that wait for a reply."),
                    "connections": .integer().meaning("Since the start."),
                    "variants": .object([
                        "isReading": .boolean.meaning("Whether variants are looked up before they are rendered."),
                        "hits": .integer().meaning("Since the start, like the next counts."), "misses": .integer(),
                        "writes": .integer(), "removals": .integer(), "dropped": .integer(), "failures": .integer(),
                        "damaged": .integer(), "waiting": .integer().meaning("Variants that wait to be stored."),
                        "waitingBytes": .integer(), "waitingRemovals": .integer(),
                    ]).meaning("Variants in Redis; absent if variants are not stored there."),
                ], optional: ["reason", "variants"]
            ).meaning("The shared Redis server, which does not affect readiness; absent without --redis."),
            "faults": .array(
                .object([
                    "engine": .choice(["redis", "object-store", "library", "events"]),
                    "since": .integer().meaning("Start of the fault, in seconds since 1970."),
                    "cause": .string().meaning("The latest error."),
                ])
            ).meaning("Lasting faults of engines; empty while all work."),
            "isolation": .object([
                "mode": .choice(["process", "thread"]).meaning("Where originals are decoded."),
                "missing": .array(.string()).meaning("Features of the workers' sandbox that the kernel lacks."),
                "workers": .integer().meaning("Worker processes."),
                "busy": .integer().meaning("Worker processes that have a job."),
                "started": .integer(), "jobs": .integer(),
                "failures": .integer().meaning("Workers that crashed during a job, or were ended for their behaviour."),
                "killed": .integer().meaning("Workers ended because a stopped job continued."),
                "replaced": .integer().meaning("Workers that were replaced for their age or size."),
                "quarantined": .integer().meaning("Quarantined originals, which are refused."),
                "refusals": .integer().meaning("Refused renders of quarantined originals."),
            ]),
            "sources": .array(
                .object(
                    [
                        "name": .string(), "isOn": .boolean,
                        "option": .string().meaning("The option that enables the source; absent if it is on."),
                    ], required: ["name", "isOn"])),
        ],
        required: [
            "status", "reasons", "warnings", "faults", "origins", "disk", "variantDisk", "library", "queues", "sources",
        ])
}
