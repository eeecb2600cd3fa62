import ArgumentParser
import PosterCodec

/// The command `poster-bench`.
@main
struct PosterBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poster-bench",
        abstract: "Measures the cost of a poster, with and without downsampling while decoding.",
        version: "codec \(CodecVersion.current), \(CodecVersion.kernels) kernels",
        subcommands: [
            Quick.self, MemoryBench.self, SpeedBench.self, LadderBench.self, FormatsBench.self, LikenessBench.self,
            BadgesBench.self, Cache.self, TraceBench.self, Serve.self, Soak.self, IsolationBench.self, Compare.self,
            Survive.self, SearchBench.self, OnePoster.self,
        ]
    )
}
