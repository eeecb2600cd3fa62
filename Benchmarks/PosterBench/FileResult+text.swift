extension FileResult {
    /// A table for people.
    var text: String {
        let head = ["", "probe", "decode", "resample", "encode", "total", "output", "peak", "above output"]
        let unit = ["", "ms", "ms", "ms", "ms", "ms", "KiB", "MiB", "MiB"]
        let rows = self.lines.map { line in
            let times = line.milliseconds
            return [line.way.title]
                + [times.probe, times.decode, times.resample, times.encode, times.total].map { $0.fixed(2) }
                + [
                    (Double(line.peak.outputBytes) / 1024).fixed(1), Self.mebibytes(line.peak.bytes),
                    Self.mebibytes(line.peak.bytesAboveOutput),
                ]
        }
        return """
            \(self.file): \(self.kind), \(self.inputBytes) bytes, to \(self.outputSize[0])×\(self.outputSize[1])
            \(TextTable(rows: [head, unit] + rows).text)
            whole bitmap over downsampled, to JPEG: \(self.timeRatio.fixed(1)) × time, \(self.peakRatio.fixed(1)) × peak
            peak: lowest of \(PeakGrowth.children) processes, less the \(Self.mebibytes(self.baselinePeakBytes)) MiB of one \
            that only loads program and input
            """
    }

    private static func mebibytes(_ bytes: Int) -> String {
        (Double(bytes) / 1_048_576).fixed(2)
    }
}
