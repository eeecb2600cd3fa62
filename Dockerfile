# docker build -t onesheet . && docker run --stop-timeout 45 -p 8080:8080 -v onesheet:/var/lib/onesheet onesheet

FROM docker.io/library/swift:6.3-bookworm AS build
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends make \
    libjpeg62-turbo-dev libpng-dev libwebp-dev libavif-dev libjxl-dev libde265-dev liblcms2-dev libfreetype-dev libharfbuzz-dev zlib1g-dev libbrotli-dev libcurl4-openssl-dev libssl-dev libsqlite3-dev libpq-dev libhiredis-dev libseccomp-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN swift build -c release --static-swift-stdlib --product onesheet \
    && strip .build/release/onesheet \
    && make install PREFIX=/usr DESTDIR=/out \
    && install -d -m 0700 /out/var/lib/onesheet

FROM docker.io/library/debian:12-slim
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    libjpeg62-turbo libpng16-16 libwebp7 libavif15 libjxl0.7 libde265-0 liblcms2-2 libfreetype6 libharfbuzz0b zlib1g libbrotli1 libcurl4 libssl3 libsqlite3-0 libpq5 libhiredis0.14 libseccomp2 libstdc++6 ca-certificates \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
COPY --from=build /out/usr/bin/onesheet /usr/bin/onesheet
COPY --from=build /out/usr/share/onesheet /usr/share/onesheet
COPY --from=build --chown=65532:65532 /out/var/lib/onesheet /var/lib/onesheet
USER 65532:65532
ENV ONESHEET_HOST=0.0.0.0 ONESHEET_DATA_DIR=/var/lib/onesheet
VOLUME /var/lib/onesheet
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=5s CMD ["/usr/bin/onesheet", "healthcheck"]
ENTRYPOINT ["/usr/bin/onesheet"]
CMD ["serve"]
