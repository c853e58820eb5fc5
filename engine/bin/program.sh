# Builds a program of a module if it is missing or older than its sources, and runs it. For the scripts beside it.
root=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)

changed()
{
    find "$root/codecs" "$root/driver-config" "$root/engine" "$root/pom.xml" -path '*/target' -prune -o \
        -type f -newer "$1" \( -path '*/src/main/*' -o -name pom.xml \) -print | head -n 1
}

# run NAME MODULE JAR MAIN [ARGUMENT ...]
run()
{
    name=$1
    module=$2
    jar="$root/$2/$3"
    main=$4
    shift 4
    if ! command -v java > /dev/null
    then
        echo "$name: java is not on the path, 17 or newer is needed" >&2
        exit 2
    fi
    if [ ! -f "$jar" ] || [ -n "$(changed "$jar")" ]
    then
        echo "building ..." >&2
        (cd "$root" && mvn -B -q package -Dprogram -pl "$module" -am -Dmaven.test.skip=true -Dcheckstyle.skip >&2)
        # A build that had nothing to do leaves the file as old as it was.
        touch "$jar"
    fi
    umask 077
    exec java --enable-native-access=ALL-UNNAMED --add-opens=java.base/jdk.internal.misc=ALL-UNNAMED \
        --add-opens=java.base/sun.nio.ch=ALL-UNNAMED -Descapement.home="$root" ${JAVA_OPTS:-} -cp "$jar" "$main" "$@"
}
